/** The functions that are served, and those of others that are called instead. */
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { testEndings } from './endings.ts';
import { start } from './slipway.ts';

describe('slipway functions', () => {
  it('serves all seven functions and prints the functions.yaml for crossplane composition render', async () => {
    // Another run of this suite on the same machine must not use the same ports; the golden file shows the default
    // ports.
    const base = 20_000 + (process.pid % 1_000) * 10;
    const { child, ended } = start(['functions', '--base-port', String(base)]);
    await once(child.stderr, 'data'); // it reports that it serves
    child.kill('SIGTERM');
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    const shown = stdout.replaceAll(/(?<=:)[0-9]{5}\b/g, (port) => String(Number(port) - base + 19_743));
    await expect(shown).toMatchFileSnapshot('golden/functions.yaml');
  });
});

testEndings([
  {
    name: 'a function without an address',
    args: ['plan', 'examples/aws', '--function', 'mine'],
    code: 2,
    line: /^slipway: cannot accept --function "mine": accepted: NAME=HOST:PORT such as /,
  },
  {
    name: 'a function that nobody serves',
    args: ['plan', 'examples/aws', '--function', 'slipway-function-bootstrap=127.0.0.1:1'],
    code: 1,
    line: 'slipway: cannot call function "slipway-function-bootstrap" at 127.0.0.1:1: nothing listens there',
  },
  ...[
    ['plan', 'examples/aws'],
    ['simulate', 'examples/aws'],
    ['validate', 'examples/aws'],
    ['payload', 'examples/aws'],
    ['describe', 'cluster', 'prod', 'examples/aws'],
    ['render', 'examples/aws/cluster.yaml', 'compositions/aws/cluster.yaml'],
  ].map((args) => ({
    name: `a function that no step calls: ${args[0]}`,
    args: [...args, '--function', 'slipway-function-clustre=127.0.0.1:1'],
    code: 2,
    line: /^slipway: cannot accept --function "slipway-function-clustre=127\.0\.0\.1:1": no step of a Composition calls it; they call: .*slipway-function-cluster\b.*; did you mean "slipway-function-cluster"\?$/,
  })),
]);
