import { createManualClock } from '@astroresearch/runtime';
import { describe, expect, it } from 'vitest';
import { countingBytes } from './testing/counting-bytes.ts';
import { createTickets } from './tickets.ts';

function setUp() {
  const clock = createManualClock();
  return { clock, tickets: createTickets({ clock, randomBytes: countingBytes() }) };
}

describe('tickets', () => {
  it('are good for one login', () => {
    const { tickets } = setUp();
    const ticket = tickets.issue();
    expect(tickets.redeem(ticket)).toBe(true);
    expect(tickets.redeem(ticket)).toBe(false);
  });

  it('hold 256 bits, safe in an address', () => {
    expect(setUp().tickets.issue()).toMatch(/^[\w-]{43}$/);
  });

  it('end after ten minutes', () => {
    const { clock, tickets } = setUp();
    const [early, late] = [tickets.issue(), tickets.issue()];
    clock.advance(10 * 60_000 - 1);
    expect(tickets.redeem(early)).toBe(true);
    clock.advance(1);
    expect(tickets.redeem(late)).toBe(false);
  });

  it('are refused when never issued', () => {
    const { tickets } = setUp();
    tickets.issue();
    expect(tickets.redeem('guess')).toBe(false);
    expect(tickets.redeem('')).toBe(false);
  });

  it('give way to newer ones when very many are open', () => {
    const { tickets } = setUp();
    const first = tickets.issue();
    const others = Array.from({ length: 100 }, () => tickets.issue());
    expect(tickets.redeem(first)).toBe(false);
    expect(others.every((ticket) => tickets.redeem(ticket))).toBe(true);
  });
});
