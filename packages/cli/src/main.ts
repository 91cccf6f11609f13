/** The command line's composition root: reads the world once, names the commands, loads each only when it runs. */
import { Command, CommanderError } from 'commander';
import { EXIT } from './exit-codes.ts';
import { systemTerminal, type Terminal } from './terminal.ts';
import { readVersion } from './version.ts';

function program(terminal: Terminal, exitWith: (code: number) => void): Command {
  const root = new Command('astroresearch')
    .description('A research agent for astronomers. 面向天文学家的研究智能体。')
    .version(readVersion(), '-V, --version')
    .showHelpAfterError('(astroresearch --help lists the commands)')
    .exitOverride()
    .configureOutput({ writeOut: (text) => terminal.out(text), writeErr: (text) => terminal.error(text) });

  root
    .command('serve')
    .description('server and web page; prints the address with a one-time login link')
    .option('--host <host>', 'address to listen on (HOST)')
    .option('--port <port>', 'port to listen on (PORT)')
    .action(async (options) =>
      exitWith(await (await import('./commands/serve.ts')).serve(options, terminal)),
    );

  root
    .command('ask')
    .description('ask one question and print the answer')
    .argument('<question>')
    .option('--session <id>', 'go on in this session')
    .option('--json', 'print each event as a line {seq, type, data}')
    .option('--yes', 'allow what would ask for permission')
    .option('--model <name>', 'model for this turn')
    .option('--thinking', 'let the model think first, where it can')
    .action(async (question, options) =>
      exitWith(await (await import('./commands/ask.ts')).ask(question, options, terminal)),
    );

  const sessions = root
    .command('sessions')
    .description('list, show, search, fork, delete, export and import sessions');
  sessions
    .command('list')
    .description('newest first')
    .option('--limit <n>', 'how many', '20')
    .option('--json', 'machine output')
    .action(async (options) =>
      exitWith(await (await import('./commands/sessions.ts')).listSessions(options, terminal)),
    );
  sessions
    .command('show')
    .description('the messages of a session')
    .argument('<session>')
    .option('--json', 'machine output')
    .action(async (id, options) =>
      exitWith(await (await import('./commands/sessions.ts')).showSession(id, options, terminal)),
    );
  sessions
    .command('search <text>')
    .description('sessions whose title or messages have the text')
    .option('--json', 'machine output')
    .action(async (text: string, options: { json?: boolean }) =>
      exitWith(await (await import('./commands/change-sessions.ts')).searchSessions(text, options, terminal)),
    );
  sessions
    .command('fork <session>')
    .description('a new session that begins like this one')
    .option('--message <id>', 'the last message of the fork (default: all so far)')
    .option('--json', 'machine output')
    .action(async (id: string, options: { message?: string; json?: boolean }) =>
      exitWith(await (await import('./commands/change-sessions.ts')).forkSession(id, options, terminal)),
    );
  sessions
    .command('delete <session>')
    .description('delete a session; what runs in it is cancelled first')
    .action(async (id: string) =>
      exitWith(await (await import('./commands/change-sessions.ts')).deleteSession(id, terminal)),
    );
  sessions
    .command('export')
    .description('a session as a file of lines: everything, or the messages for other programs')
    .argument('<session>')
    .option('--format <name>', 'jsonl or openai', 'jsonl')
    .option('--out <file>', 'write this file (standard output)')
    .action(async (id, options) =>
      exitWith(await (await import('./commands/export-session.ts')).exportSession(id, options, terminal)),
    );
  sessions
    .command('import')
    .description('a new session from each file: an export, OpenAI messages, Claude Code, Codex or pi')
    .argument('<file...>')
    .option('--format <name>', 'auto, jsonl, openai, claude-code, codex or pi', 'auto')
    .option('--json', 'machine output')
    .action(async (files, options) =>
      exitWith(
        await (await import('./commands/import-sessions.ts')).importSessions(files, options, terminal),
      ),
    );

  root
    .command('context')
    .description('what a request of a session carries, block by block')
    .argument('<session>')
    .option('--request <n>', 'which request, from 1 (the next one)')
    .option('--json', 'machine output')
    .action(async (id, options) =>
      exitWith(await (await import('./commands/context.ts')).showContext(id, options, terminal)),
    );

  root
    .command('compact')
    .description(
      'make a recorded history smaller: JSONL of OpenAI chat messages, or an array; touches no database',
    )
    .argument('<file>')
    .option('--layers <names>', 'only these, of snip,micro,auto,aggressive_micro,identity')
    .option('--soft <tokens>', 'leave alone what is no larger (0)')
    .option('--target-tokens <n>', 'how small (half of --soft, or of the present size)')
    .option('--target-chars <n>', 'how small, in characters instead')
    .option('--policy <name>', 'balanced or seed')
    .option('--summarizer <name>', 'extractive or model (extractive)')
    .option('--json', 'print {messages, report}')
    .action(async (file, options) =>
      exitWith(await (await import('./commands/compact.ts')).compact(file, options, terminal)),
    );

  root
    .command('replay')
    .description('play recorded sessions through a context policy: cost, validity, survival')
    .argument('<file...>')
    .option('--policy <name>', 'balanced, seed, send-everything, or a JSON file of settings')
    .option('--against <name>', 'a second policy, beside it')
    .option('--json', 'machine output')
    .option('--html <out>', 'write one self-contained page with the curves')
    .action(async (files, options) =>
      exitWith(await (await import('./commands/replay.ts')).replayFiles(files, options, terminal)),
    );

  root
    .command('classify-error')
    .description(
      "what a provider's refusal means: {status, headers, body} or its text, from a file or standard input",
    )
    .argument('[file]')
    .option('--json', 'machine output')
    .action(async (file, options) =>
      exitWith(
        await (await import('./commands/classify-error.ts')).classifyErrorText(file, options, terminal),
      ),
    );

  root
    .command('doctor')
    .description('check configuration, database, folders and model; say how to mend each')
    .option('--db [file]', 'check the database (the configured one) row by row; changes nothing')
    .option('--salvage <out>', 'with --db: write every readable session to a new database')
    .option('--json', 'machine output')
    .action(async (options) =>
      exitWith(
        options.db === undefined && options.salvage === undefined
          ? await (await import('./commands/doctor.ts')).doctor(options, terminal)
          : await (await import('./commands/doctor-database.ts')).doctorDatabase(
              { db: true, ...options },
              terminal,
            ),
      ),
    );

  root
    .command('backup')
    .description('copy the database to a new file, whole, also while the server runs')
    .argument('<out>')
    .action(async (out) => exitWith((await import('./commands/backup.ts')).backup(out, terminal)));
  return root;
}

async function main(): Promise<void> {
  const terminal = systemTerminal();
  let code: number = EXIT.done;
  try {
    await program(terminal, (exit) => {
      code = exit;
    }).parseAsync(process.argv);
  } catch (error) {
    if (error instanceof CommanderError) code = error.exitCode === 0 ? EXIT.done : EXIT.wrongUse;
    else {
      terminal.error(`${error instanceof Error ? error.message : String(error)}\n`);
      code = EXIT.failed;
    }
  }
  await terminal.flush();
  process.exit(code);
}

await main();
