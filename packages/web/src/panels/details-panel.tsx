/** What the agent is at: its plan, and what the run costs (ui.md, Tasks and Metrics). */
import type { Task, Timeline, TurnProgress, TurnUsage } from '@astroresearch/core';
import type { ReactNode } from 'react';
import { formatCount, formatUsd } from '../format.ts';
import { Icon } from '../parts/icon.tsx';
import { IconButton } from '../parts/icon-button.tsx';
import { usePreferences, useSession, useTexts } from '../services.ts';

/** What scrolls must be reachable by keyboard. */
const REACHABLE = { tabIndex: 0 };

export function DetailsPanel({
  open,
  onClose,
}: {
  readonly open: boolean;
  readonly onClose: () => void;
}): ReactNode {
  const texts = useTexts();
  const { timeline } = useSession();
  return (
    <aside className="details drawer drawer-end" data-open={open} aria-label={texts.details} {...REACHABLE}>
      <IconButton
        className="only-drawer details-close"
        icon="close"
        label={texts.closePanel}
        onPress={onClose}
      />
      <Plan tasks={timeline.tasks} />
      <Run timeline={timeline} />
    </aside>
  );
}

function Plan({ tasks }: { readonly tasks: readonly Task[] }): ReactNode {
  const texts = useTexts();
  const done = tasks.filter((task) => task.status === 'completed').length;
  return (
    <section className="panel">
      <h2>
        {texts.plan}
        {tasks.length === 0 ? null : (
          <span className="panel-count">{texts.planProgress(done, tasks.length)}</span>
        )}
      </h2>
      {tasks.length === 0 ? (
        <p className="panel-empty">{texts.noPlan}</p>
      ) : (
        <>
          <progress className="plan-progress" value={done} max={tasks.length} aria-label={texts.plan} />
          <ol className="plan">
            {tasks.map((task) => (
              <li key={task.id} data-status={task.status}>
                <span className="plan-mark">
                  {task.status === 'completed' ? <Icon name="check" /> : null}
                </span>
                <span>
                  {task.content}
                  <span className="visually-hidden"> ({texts.taskStatus[task.status]})</span>
                  {task.blockedBy.length === 0 || task.status === 'completed' ? null : (
                    <span className="plan-blocked">{texts.blockedBy(task.blockedBy.join(', '))}</span>
                  )}
                </span>
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

function Run({ timeline }: { readonly timeline: Timeline }): ReactNode {
  const texts = useTexts();
  const { language } = usePreferences();
  const { turn } = timeline;
  return (
    <section className="panel">
      <h2>{texts.run}</h2>
      {turn === null ? (
        <p className="panel-empty">{texts.idle}</p>
      ) : (
        <dl className="facts">
          <dt>{texts.status}</dt>
          <dd data-status={turn.status ?? 'running'} className="facts-status">
            {statusOf(turn, texts)}
          </dd>
          <dt>{texts.model}</dt>
          <dd className="facts-model">{turn.model}</dd>
          <dt>{texts.step}</dt>
          <dd>{turn.maxSteps > 0 ? `${turn.step} / ${turn.maxSteps}` : turn.step}</dd>
          {turn.contextTokens === 0 ? null : (
            <>
              <dt>{texts.contextSize}</dt>
              <dd>{texts.tokens(formatCount(turn.contextTokens, language))}</dd>
            </>
          )}
        </dl>
      )}
      {turn?.usage ? <Tokens label={texts.turnTokens} usage={turn.usage} /> : null}
      {timeline.usage.steps > (turn?.usage?.steps ?? 0) ? (
        <Tokens label={texts.sessionTokens} usage={timeline.usage} />
      ) : null}
    </section>
  );
}

function statusOf(turn: TurnProgress, texts: ReturnType<typeof useTexts>): string {
  if (turn.status !== null) return texts.doneStatus[turn.status];
  return turn.stopping ? texts.stopping : texts.statusRunning;
}

function Tokens({ label, usage }: { readonly label: string; readonly usage: TurnUsage }): ReactNode {
  const texts = useTexts();
  const { language } = usePreferences();
  const rows: readonly (readonly [string, number])[] = [
    [texts.tokensIn, usage.promptTokens],
    [texts.tokensCached, usage.cachedTokens],
    [texts.tokensOut, usage.completionTokens],
    [texts.tokensReasoning, usage.reasoningTokens],
  ];
  return (
    <>
      <h3 className="tokens-title">{label}</h3>
      <dl className="tokens">
        {rows
          .filter(([, count]) => count > 0)
          .map(([name, count]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{formatCount(count, language)}</dd>
            </div>
          ))}
        {usage.costUsd === null ? null : (
          <div>
            <dt>{texts.cost}</dt>
            <dd>{formatUsd(usage.costUsd, language)}</dd>
          </div>
        )}
      </dl>
    </>
  );
}
