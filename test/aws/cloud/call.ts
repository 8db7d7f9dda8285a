/** One call to AWS, as the proxy in front of the emulator wrote it down: no secret is in it. */

export interface Call {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly action: string;
  readonly status: number;
  /** The code of AWS, such as InvalidInstanceID.NotFound. */
  readonly error: string | undefined;
  /** The first id, ARN or name in the request. */
  readonly about: string;
  /** Values of tags Name that it gives. */
  readonly named: readonly string[];
}

const READS = /^(Describe|Get|List|Head|Lookup|Decode|Assume)/;

export function isRead({ action }: Pick<Call, 'action'>): boolean {
  return READS.test(action);
}

interface Asked {
  readonly target: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** What a request asks for. */
export function asked({ target, method, path, body }: Asked): Pick<Call, 'action' | 'about' | 'named'> {
  if (target !== undefined) {
    const { SecretId, Name } = jsonOf(body);
    return { action: target.split('.').at(-1) ?? target, about: SecretId ?? Name ?? '', named: [] };
  }
  const form = new URLSearchParams(body);
  const action = form.get('Action');
  if (action === null) return { action: `${method} ${path}`, about: path, named: [] };
  const values = [...form].filter(([name]) => name !== 'Action' && name !== 'Version' && name !== 'UserData');
  const about = values.find(([name, value]) => ID.test(value) || NAMES.test(name))?.[1] ?? '';
  const named = values.filter(([name, value]) => /Tags?\..*Key$/.test(name) && value === 'Name');
  return { action, about, named: named.flatMap(([name]) => form.get(name.replace(/Key$/, 'Value')) ?? []) };
}

const ID = /^(?:[a-z]{1,9}(?:-[a-z]+)?-[0-9a-f]{8,17}|arn:.*)$/;
const NAMES = /^(RoleName|InstanceProfileName|PolicyName|Names?(\.member\.1)?|PublicIp)$/;

interface OfSecrets {
  readonly SecretId?: string;
  readonly Name?: string;
}

function jsonOf(body: string): OfSecrets {
  try {
    return JSON.parse(body) as OfSecrets;
  } catch {
    return {};
  }
}

/** `<Code>` of XML, `__type` of JSON. */
export function errorIn(status: number, answer: string): string | undefined {
  if (status < 400) return undefined;
  return /<Code>([^<]+)/.exec(answer)?.[1] ?? /"__type":\s*"([^"]+)/.exec(answer)?.[1] ?? String(status);
}
