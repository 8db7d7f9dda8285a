/** Compares the codec of lib/wire with the SDK of Crossplane. `npm run wire -- --help` lists the options. */
import { parseArgs } from 'node:util';
import { runCommand, wholeNumber } from '../support/command-line.ts';
import { type Tried, tryMessage } from './try.ts';

const HELP = `Usage: npm run wire -- [--messages N] [--from SEED]

Makes requests and answers, changes their bytes as any program might, and reads them with the codec of lib/wire and with
the code that the SDK of Crossplane generates. Both see the same, or both refuse; what the codec writes, the SDK reads.

  --messages N   how many messages (100000)
  --from SEED    the first seed (1)

Exit code 1: there is a difference. Each is printed with the command that repeats it.
`;

const SHOWN = 20;
const SECONDS = 5;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      messages: { type: 'string', default: '100000' },
      from: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const [count, from] = [wholeNumber('--messages', values.messages, 1), wholeNumber('--from', values.from)];
  const sum = { messages: 0, read: 0, refused: 0, different: 0 };
  let told = Date.now();
  for (let seed = from; seed < from + count; seed += 1) {
    const tried = tryMessage(seed);
    sum.messages += 1;
    sum[tried.refused ? 'refused' : 'read'] += 1;
    if (tried.wrong.length > 0 && (sum.different += 1) <= SHOWN) tell(tried);
    if (Date.now() - told < SECONDS * 1000) continue;
    told = Date.now();
    console.log(`${sum.messages} of ${count}, ${sum.different} different`);
  }
  console.table([sum]);
}

function tell({ seed, what, wrong }: Tried): void {
  process.exitCode = 1;
  console.log(`${what}, seed ${seed}: ${wrong.join('; ')}`);
  console.log(`  again: npm run wire -- --from ${seed} --messages 1`);
}

await runCommand(main);
