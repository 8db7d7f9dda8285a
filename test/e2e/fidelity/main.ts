/**
 * Only the comparison, for development and for flavours that `npm run e2e` leaves out:
 * `node test/e2e/fidelity/main.ts gcp`. It needs two programs and no lab. Without a name, it compares the example of AWS.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROGRAMS } from '../binaries/catalog.ts';
import { MissingError, find } from '../binaries/find.ts';
import { compareEngines } from './fidelity.ts';
import { validate } from './validate.ts';

const said = (line: string): void => void process.stderr.write(`${line}\n`);

function program(name: 'crossplane' | 'crossplane-core'): string {
  const known = PROGRAMS.find((one) => one.name === name);
  const found = known === undefined ? undefined : find(known);
  if (found === undefined) throw new MissingError(`cannot find ${name}: accepted: on PATH or in SLIPWAY_E2E_BIN`);
  return found;
}

const folder = mkdtempSync(join(tmpdir(), 'slipway-fidelity-'));
try {
  const binaries = { crossplane: program('crossplane'), 'crossplane-core': program('crossplane-core') };
  const [flavour = 'aws'] = process.argv.slice(2);
  const rows = await compareEngines(binaries, flavour, folder, said);
  const wrong = rows.filter(({ difference }) => difference !== undefined);
  for (const { stage, xr, difference } of wrong) console.log(`${stage}: ${xr}: ${difference ?? ''}`);
  console.log(`${rows.length - wrong.length} of ${rows.length} equal`);
  const { judged, failures } = await validate(binaries, join(folder, 'validate'), rows);
  for (const line of failures) console.log(line);
  console.log(`${judged - failures.length} of ${judged} objects valid`);
  process.exitCode = wrong.length + failures.length === 0 ? 0 : 1;
} catch (thrown) {
  if (!(thrown instanceof MissingError)) throw thrown;
  said(thrown.message);
  process.exitCode = 2;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
