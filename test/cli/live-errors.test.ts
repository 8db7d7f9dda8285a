/**
 * A kubeconfig or a cluster that cannot be read is told in our words: one line, with the file, or with the context and
 * its server, and no word of a credential or of a library.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { newIssuer } from '../support/authority.ts';
import { scriptedApi, type Script } from '../support/scripted-api.ts';
import { serveObjects } from '../support/kube-api.ts';
import { slipway } from './slipway.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-'));
let files = 0;

function file(text: string): string {
  files += 1;
  const path = join(folder, `kubeconfig-${files}`);
  writeFileSync(path, text);
  return path;
}

const SECRET = 'hunter2-is-a-secret';
const SERVER = 'https://127.0.0.1:1';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

interface Parts {
  readonly cluster?: object;
  readonly user?: object;
  readonly context?: object;
  readonly more?: object;
}

const config = ({ cluster = {}, user = { token: SECRET }, context = {}, more = {} }: Parts = {}): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: SERVER, ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'prod', context: { cluster: 'c', user: 'u', ...context } }],
    'current-context': 'prod',
    ...more,
  });

const exec = (command: string, ...args: readonly string[]): Parts => ({
  user: { exec: { apiVersion: 'client.authentication.k8s.io/v1', command, args, interactiveMode: 'Never' } },
});

const NO_CONFIG = /^slipway: cannot read kubeconfig ".*": it holds no kubeconfig: /;
const OF_CONTEXT = 'slipway: cannot use context "prod": ';
const CREDENTIALS = 'slipway: cannot use the credentials of context "prod": ';

const KUBECONFIGS: readonly { readonly name: string; readonly text: string; readonly line: string | RegExp }[] = [
  { name: 'no YAML', text: `token: [${SECRET}`, line: /: it is no YAML$/ },
  { name: 'nothing', text: '', line: /: it is empty$/ },
  { name: 'a text', text: SECRET, line: /: it is no object$/ },
  { name: 'a list', text: `- ${SECRET}\n`, line: /: it is no object$/ },
  {
    name: 'a claim',
    text: 'apiVersion: slipway.dev/v1alpha1\nkind: Cluster\n',
    line: /: its kind is Cluster; accepted: Config$/,
  },
  {
    name: 'clusters as text',
    text: config({ more: { clusters: SECRET } }),
    line: /: clusters is of another form$/,
  },
  {
    name: 'a server as number',
    text: config({ cluster: { server: 6443 } }),
    line: /: clusters\[0\]\.cluster\.server is of another form$/,
  },
].map((one) => ({ ...one, line: new RegExp(`${NO_CONFIG.source.slice(0, -2)}${one.line.source}`) }));

const CONTEXTS: typeof KUBECONFIGS = [
  {
    name: 'no current context',
    text: config({ more: { 'current-context': '' } }),
    line: 'slipway: cannot use the kubeconfig: it names no current context, and no --context is given; accepted: prod',
  },
  {
    name: 'a context that is not there',
    text: config({ more: { 'current-context': 'prud' } }),
    line: 'slipway: cannot use context "prud": accepted: prod',
  },
  {
    name: 'a cluster that is not there',
    text: config({ context: { cluster: 'gone' } }),
    line: `${OF_CONTEXT}its cluster "gone" is not in the kubeconfig`,
  },
  {
    name: 'a user who is not there',
    text: config({ context: { user: 'gone' } }),
    line: `${OF_CONTEXT}its user "gone" is not in the kubeconfig`,
  },
  {
    name: 'a cluster without server',
    text: config({ cluster: { server: '' } }),
    line: `${OF_CONTEXT}the server of its cluster "c" is no address; accepted: https://HOST:PORT`,
  },
  {
    name: 'a context without cluster',
    text: config({ context: { cluster: null } }),
    line: `${OF_CONTEXT}it names no cluster`,
  },
  {
    name: 'a server that is no address',
    text: config({ cluster: { server: '127.0.0.1:6443' } }),
    line: `${OF_CONTEXT}the server of its cluster "c" is no address; accepted: https://HOST:PORT`,
  },
  {
    name: 'a server without TLS',
    text: config({ cluster: { server: 'http://127.0.0.1:1' } }),
    line: `${OF_CONTEXT}the server of its cluster "c" begins with http; accepted: https, or insecure-skip-tls-verify: true`,
  },
  {
    name: 'a proxy that is no address',
    text: config({ cluster: { 'proxy-url': 'proxy:3128' } }),
    line: `${OF_CONTEXT}the proxy-url of its cluster "c" is no address; accepted: http://HOST:PORT`,
  },
  {
    name: 'a token on two lines',
    text: config({ user: { token: `${SECRET}\n${SECRET}` } }),
    line: `${CREDENTIALS}the token has characters that no token has, such as a line break`,
  },
  {
    name: 'an authority that is none',
    text: config({ cluster: { 'certificate-authority-data': base64(SECRET) } }),
    line: `${CREDENTIALS}certificate-authority is no certificate`,
  },
  {
    name: 'an authority that is not there',
    text: config({ cluster: { 'certificate-authority': '/nowhere/ca.crt' } }),
    line: `${CREDENTIALS}cannot read "/nowhere/ca.crt": no such file`,
  },
  {
    name: 'a certificate that is none',
    text: config({ user: { 'client-certificate-data': base64(SECRET), 'client-key-data': base64(SECRET) } }),
    line: `${CREDENTIALS}client-certificate is no certificate`,
  },
  {
    name: 'a key alone',
    text: config({ user: { 'client-key-data': base64(SECRET) } }),
    line: `${CREDENTIALS}client-certificate and client-key are needed together`,
  },
  {
    name: 'a program that is not there',
    text: config(exec('nowhere-login')),
    line: `${CREDENTIALS}there is no program "nowhere-login", which gets them`,
  },
  {
    name: 'a program that fails',
    text: config(exec('sh', '-c', `echo ${SECRET} >&2; exit 1`)),
    line: `${CREDENTIALS}the program "sh", which gets them, failed: run it to see why`,
  },
  {
    name: 'a program that prints something else',
    text: config(exec('echo', SECRET)),
    line: `${CREDENTIALS}the program "echo", which gets them, printed no credentials: run it to see why`,
  },
  {
    name: 'a program that prints another object',
    text: config(exec('echo', '{}')),
    line: `${CREDENTIALS}the program "echo", which gets them, printed no credentials: run it to see why`,
  },
  {
    name: 'a server that is not there',
    text: config(),
    line: `slipway: cannot read slipway.dev/v1alpha1 in context "prod" at "${SERVER}": connection refused`,
  },
];

describe.for([
  ['describe', 'cluster', 'prod'],
  ['plan', 'examples/aws'],
])('slipway %s', (command) => {
  test.for([...KUBECONFIGS, ...CONTEXTS])('one line about $name', async ({ text, line }) => {
    const path = file(text);
    const { stdout, stderr, code } = await slipway(...command, '--kubeconfig', path);
    const [first, ...rest] = stderr.split('\n');
    expect(first).toMatch(line);
    expect(first?.replace(path, '').length).toBe(first!.replace(path, '').trim().length);
    expect(rest).toEqual(['']);
    expect(`${stdout}${stderr}`).not.toContain(SECRET);
    expect([1, 2]).toContain(code);
  });
});

const STATUS =
  (code: number, message: string): Script =>
  (response) =>
    void response
      .writeHead(code, { 'content-type': 'application/json' })
      .end(JSON.stringify({ kind: 'Status', code, message }));

const ANSWERS: readonly { readonly name: string; readonly script: Script; readonly says: string | RegExp }[] = [
  {
    name: 'credentials that it does not know',
    script: STATUS(401, 'Unauthorized'),
    says: 'the credentials of its user are not accepted (401)',
  },
  {
    name: 'a user who may not',
    script: STATUS(403, 'forbidden: User "jane" cannot get path'),
    says: 'forbidden: User "jane" cannot get path',
  },
  {
    name: 'a proxy that is ill',
    script: (response) => void response.writeHead(502).end(`<html>${SECRET}</html>`),
    says: 'HTTP 502',
  },
  {
    name: 'a page',
    script: (response) => void response.writeHead(200).end(`<html>${SECRET}</html>`),
    says: 'the answer is not JSON',
  },
];

test.for(ANSWERS)('a cluster that answers with $name', async ({ script, says }) => {
  const api = await scriptedApi(script);
  const path = file(config({ cluster: { server: api.server, 'insecure-skip-tls-verify': true } }));
  const { stderr, code } = await slipway('describe', 'cluster', 'prod', '--kubeconfig', path);
  await api.close();
  expect(stderr).toBe(`slipway: cannot read slipway.dev/v1alpha1 in context "prod" at "${api.server}": ${says}\n`);
  expect(code).toBe(1);
});

describe('a cluster without the kinds of Slipway', () => {
  it('has nothing to describe, and says where', async () => {
    const api = await serveObjects([]);
    const { stderr, code } = await slipway('describe', 'cluster', 'prod', '--kubeconfig', file(api.kubeconfig));
    api.close();
    expect(stderr).toBe(
      `slipway: cannot read claims: slipway.dev/v1alpha1 is not installed in context "management" at "${api.server}"; accepted: a cluster with Slipway\n`,
    );
    expect(code).toBe(2);
  });

  it('is planned as new, and the plan says so', async () => {
    const api = await serveObjects([]);
    const { stderr, stdout } = await slipway('plan', 'examples/aws', '--kubeconfig', file(api.kubeconfig));
    api.close();
    expect(stderr).toContain(
      `slipway: slipway.dev/v1alpha1 is not installed in context "management" at "${api.server}": everything is planned as new\n`,
    );
    expect(stdout).toContain('it does not exist yet');
  });
});

describe('a client certificate', () => {
  let ours: { readonly cert: string; readonly key: string };
  let other: { readonly cert: string; readonly key: string };
  beforeAll(async () => {
    const issuer = await newIssuer('ca', 'ECDSA');
    [ours, other] = await Promise.all([issuer.issue('jane', {}), issuer.issue('joe', {})]);
  });

  it('whose key is that of another is refused before the server is asked', async () => {
    const user = { 'client-certificate-data': base64(ours.cert), 'client-key-data': base64(other.key) };
    const { stderr } = await slipway('describe', 'cluster', 'prod', '--kubeconfig', file(config({ user })));
    expect(stderr).toBe(`${CREDENTIALS}client-key belongs to another certificate\n`);
  });

  it('that fits is used', async () => {
    const user = { 'client-certificate-data': base64(ours.cert), 'client-key-data': base64(ours.key) };
    const { stderr } = await slipway('describe', 'cluster', 'prod', '--kubeconfig', file(config({ user })));
    expect(stderr).toMatch(/: connection refused\n$/);
  });
});
