/** Before the first question: what this is for, and three questions to begin with. */
import { type ReactNode, useEffect, useState } from 'react';
import { Icon } from '../parts/icon.tsx';
import { StarChart } from '../parts/star-chart.tsx';
import { useServices, useTexts } from '../services.ts';

export function EmptyState({ onAsk }: { readonly onAsk: (question: string) => void }): ReactNode {
  const texts = useTexts();
  const { api } = useServices();
  const [provider, setProvider] = useState('');
  useEffect(() => {
    // Without an answer the page simply says nothing of the model.
    api.health().then(
      (health) => setProvider(health.provider),
      () => undefined,
    );
  }, [api]);
  return (
    <div className="empty">
      <StarChart />
      <h1>{texts.greeting}</h1>
      <p className="empty-detail">{texts.greetingDetail}</p>
      <ul className="examples" aria-label={texts.examplesLabel}>
        {texts.examples.map(({ topic, question }) => (
          <li key={topic}>
            <button type="button" className="example" onClick={() => onAsk(question)}>
              <span className="example-topic">{topic}</span>
              <span>{question}</span>
            </button>
          </li>
        ))}
      </ul>
      {provider === 'offline' ? (
        <p className="offline">
          <Icon name="info" />
          {texts.offlineModel}
        </p>
      ) : null}
    </div>
  );
}
