/** The kubeconfigs of this machine, read and merged as kubectl does. No message repeats what they hold. */
import { existsSync, readFileSync, type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { type Cluster, type Context, KubeConfig, type User } from '@kubernetes/client-node';
import { parse } from 'yaml';
import { z } from 'zod';
import { messageOf, SlipwayError } from '#lib/api/errors.ts';
import { isJsonObject, own, stringAt } from '#lib/api/json.ts';

/** Throws UnknownSubject for a file that is not there, or that is no kubeconfig. @param file  where kubectl looks by default */
export function loadKubeconfig(file: string | undefined): KubeConfig {
  const files = file === undefined ? defaultFiles() : [file];
  const [first, ...others] = files.map((one) => loadOne(one));
  if (first === undefined) throw new SlipwayError('UnknownSubject', noKubeconfig());
  for (const other of others) first.mergeConfig(unlike(first, other), (first.getCurrentContext() ?? '') !== '');
  return first;
}

const namesOf = (before: readonly { readonly name: string }[]) => new Set(before.map(({ name }) => name));

/** As kubectl does: what an earlier file has wins. */
function unlike(first: KubeConfig, other: KubeConfig): KubeConfig {
  const rest = new KubeConfig();
  const [clusters, users, contexts] = [
    namesOf(first.getClusters()),
    namesOf(first.getUsers()),
    namesOf(first.getContexts()),
  ];
  rest.loadFromOptions({
    clusters: other.getClusters().filter(({ name }) => !clusters.has(name)),
    users: other.getUsers().filter(({ name }) => !users.has(name)),
    contexts: other.getContexts().filter(({ name }) => !contexts.has(name)),
    currentContext: other.getCurrentContext(),
  });
  return rest;
}

function loadOne(file: string): KubeConfig {
  const refuse = (why: string, cause?: unknown): SlipwayError =>
    new SlipwayError('UnknownSubject', `cannot read kubeconfig "${file}": ${why}`, { cause });
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    throw refuse(own(WORDS, code) ?? messageOf(cause), cause);
  }
  const problem = problemOf(text);
  if (problem !== undefined) throw refuse(`it holds no kubeconfig: ${problem}`);
  const config = new KubeConfig();
  try {
    // Read once: it may be a pipe.
    config.loadFromString(text, { onInvalidEntry: 'filter' });
    config.makePathsAbsolute(dirname(file));
  } catch (cause) {
    throw refuse('it holds no kubeconfig', cause);
  }
  const written = Form.parse(parse(text, { logLevel: 'error' }));
  config.loadFromOptions({
    clusters: withUnfinished<Cluster>(config.getClusters(), written.clusters, { server: '', skipTLSVerify: false }),
    contexts: withUnfinished<Context>(config.getContexts(), written.contexts, { cluster: '', user: '' }),
    currentContext: config.getCurrentContext(),
    users: config.getUsers().map((user) => withPaths(user, written.users ?? [], dirname(file))),
  });
  return config;
}

/** As in kubectl, an entry that lacks a part hinders only a context that uses it: whoever uses it says what is lacking. */
function withUnfinished<T extends { readonly name: string }>(
  finished: readonly T[],
  written: readonly ({ readonly name?: string | null | undefined } | null)[] | null | undefined,
  lacking: Omit<T, 'name'>,
): T[] {
  const known = namesOf(finished);
  const others = (written ?? [])
    .flatMap((entry) => entry?.name ?? [])
    .filter((name) => name !== '' && !known.has(name));
  return [...finished, ...others.map((name) => ({ ...lacking, name }) as T)];
}

/**
 * What the library leaves out: a program whose name is a path is below the folder of the kubeconfig, and a file of a
 * token is one of its auth providers, which reads it when it is needed.
 */
function withPaths(user: User, written: NonNullable<z.output<typeof Form>['users']>, folder: string): User {
  const command = stringAt(user.exec, 'command') ?? '';
  if (command.includes('/')) return { ...user, exec: { ...user.exec, command: resolve(folder, command) } };
  const tokenFile = stringAt(written.find((entry) => entry?.name === user.name)?.user, 'tokenFile') ?? '';
  if (tokenFile === '') return user;
  // As in kubectl, the file wins over a token beside it.
  const { token: _token, ...others } = user;
  return { ...others, authProvider: { name: 'tokenFile', config: { tokenFile: resolve(folder, tokenFile) } } };
}

/** What is wrong, with the field and not its value: the library takes a text or another object for a kubeconfig that has nothing in it. */
function problemOf(text: string): string | undefined {
  let value: unknown;
  try {
    value = parse(text, { logLevel: 'error' });
  } catch {
    return 'it is no YAML';
  }
  if (value === null || value === undefined) return 'it is empty';
  if (!isJsonObject(value)) return 'it is no object';
  const kind = stringAt(value, 'kind') ?? 'Config';
  if (kind !== 'Config') return `its kind is ${kind}; accepted: Config`;
  const [issue] = Form.safeParse(value).error?.issues ?? [];
  if (issue === undefined) return undefined;
  const field = issue.path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  return `${field.replace(/^\./, '')} is of another form`;
}

/** Another form is refused wherever it is, as by kubectl; a part that is left out is not. */
const Form = z.looseObject({
  clusters: entries({ cluster: z.looseObject({ server: z.string().nullish() }).nullish() }),
  users: entries({ user: z.looseObject({}).nullish() }),
  contexts: entries({
    context: z.looseObject({ cluster: z.string().nullish(), user: z.string().nullish() }).nullish(),
  }),
});

function entries<T extends z.ZodRawShape>(parts: T) {
  return z.array(z.looseObject({ name: z.string().nullish(), ...parts }).nullable()).nullish();
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EACCES: 'no permission',
  EISDIR: 'it is a folder',
};

/** Where kubectl looks; a file that is not there is left out, and so is an empty one beside others. */
function defaultFiles(): readonly string[] {
  const found = paths().filter((file) => existsSync(file));
  const filled = found.filter((file) => !isEmpty(statSync(file)));
  return filled.length > 0 ? filled : found;
}

function isEmpty(stats: Stats): boolean {
  return stats.isFile() && stats.size === 0;
}

function paths(): readonly string[] {
  const variable = process.env['KUBECONFIG'] ?? '';
  return variable === ''
    ? [join(homedir(), '.kube', 'config')]
    : variable.split(delimiter).filter((file) => file !== '');
}

function noKubeconfig(): string {
  const variable = process.env['KUBECONFIG'] ?? '';
  const where =
    variable === ''
      ? `$KUBECONFIG is not set, and there is no file "${paths().join()}"`
      : `$KUBECONFIG is "${variable}", and there is no such file`;
  return `cannot find a kubeconfig: ${where}; accepted: --kubeconfig FILE`;
}
