/** What a call cost, as the field of an event: left out where the model's prices are not known. */
import { costUsd, findModel, type Settings, type Usage } from '@astroresearch/core';

export function pricedBy(model: string, usage: Usage, { models }: Settings): { readonly costUsd?: number } {
  const cost = costUsd(usage, findModel(models.table, model)?.pricesPerMillion ?? null);
  return cost === null ? {} : { costUsd: cost };
}
