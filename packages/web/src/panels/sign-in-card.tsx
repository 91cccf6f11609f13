/** Shown while the server refuses us: takes the login link from the terminal. */
import { type ReactNode, useState } from 'react';
import { ApiError } from '../api/client.ts';
import { signIn, ticketOf } from '../api/login.ts';
import { Mark } from '../parts/icon.tsx';
import { useServices, useTexts } from '../services.ts';

export function SignInCard({ onSignedIn }: { readonly onSignedIn: () => void }): ReactNode {
  const texts = useTexts();
  const { client } = useServices();
  const [pasted, setPasted] = useState('');
  const [fault, setFault] = useState('');

  async function submit(): Promise<void> {
    const ticket = ticketOf(pasted);
    if (ticket === null) return setFault(texts.signInBadTicket);
    try {
      await signIn(client, ticket);
      onSignedIn();
    } catch (error) {
      const noAnswer = !(error instanceof ApiError) || error.status === 0;
      setFault(noAnswer ? texts.networkError : error.message);
    }
  }

  return (
    <main className="sign-in">
      <form
        className="card"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Mark />
        <h1>{texts.signInTitle}</h1>
        <p>{texts.signInDetail}</p>
        <label htmlFor="ticket">{texts.signInLabel}</label>
        <input
          id="ticket"
          autoComplete="off"
          spellCheck={false}
          value={pasted}
          aria-describedby="sign-in-fault"
          onChange={(event) => setPasted(event.target.value)}
        />
        <p id="sign-in-fault" className="card-fault" role="alert">
          {fault}
        </p>
        <button type="submit" className="button button-primary">
          {texts.signIn}
        </button>
      </form>
    </main>
  );
}
