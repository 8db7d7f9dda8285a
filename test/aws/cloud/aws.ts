/** The emulated AWS as somebody else than the provider calls it: machines, drivers in clusters, an operator by hand. */
import { execFileSync } from 'node:child_process';
import { type Element, items, parsed, tagsOf, textAt } from './xml.ts';

const VERSIONS = { ec2: '2016-11-15', elasticloadbalancing: '2015-12-01', iam: '2010-05-08' } as const;
export type Service = keyof typeof VERSIONS;
export const REGION = 'eu-west-1';

export interface Instance {
  readonly id: string;
  readonly state: string;
  readonly type: string;
  readonly zone: string;
  readonly address: string;
  readonly image: string;
  readonly tags: ReadonlyMap<string, string>;
  /** Of volumes, by device. */
  readonly volumes: ReadonlyMap<string, string>;
}

export class Aws {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** Throws with the answer where AWS refuses. */
  async call(service: Service, action: string, parameters: Readonly<Record<string, string>> = {}): Promise<Element> {
    const answer = await fetch(this.#url, {
      method: 'POST',
      headers: { ...signed(service), 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ Action: action, Version: VERSIONS[service], ...parameters }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${action}: ${answer.status} ${text.slice(0, 300)}`);
    return parsed(text);
  }

  /** Those that were terminated, too. */
  async instances(): Promise<readonly Instance[]> {
    const answer = await this.call('ec2', 'DescribeInstances');
    return items(answer, 'reservationSet').flatMap((one) => items(one, 'instancesSet').map(instanceOf));
  }

  /** Those that run or may run again, by the name in their tags. */
  async living(name: string): Promise<readonly Instance[]> {
    const all = await this.instances();
    return all.filter(({ tags, state }) => tags.get('Name') === name && !ENDED.has(state));
  }

  async bucket(name: string): Promise<void> {
    const location = `<CreateBucketConfiguration><LocationConstraint>${REGION}</LocationConstraint></CreateBucketConfiguration>`;
    const { status } = await fetch(`${this.#url}/${name}`, { method: 'PUT', headers: signed('s3'), body: location });
    if (status !== 200) throw new Error(`cannot make bucket ${name}: ${status}`);
  }

  async userData(id: string): Promise<string> {
    const answer = await this.call('ec2', 'DescribeInstanceAttribute', { InstanceId: id, Attribute: 'userData' });
    return textAt(answer, 'userData', 'value');
  }

  /** One call of Secrets Manager, which machines wait for. */
  secret(action: 'GetSecretValue' | 'DeleteSecret' | 'ListSecrets', body: object): Readonly<Record<string, string>> {
    const { Authorization } = signed('secretsmanager');
    const headers = [
      `Authorization: ${Authorization}`,
      'Content-Type: application/x-amz-json-1.1',
      `X-Amz-Target: secretsmanager.${action}`,
    ];
    const args = headers.flatMap((header) => ['--header', header]);
    const said = execFileSync('curl', ['-sS', '-X', 'POST', ...args, '--data', JSON.stringify(body), this.#url], {
      encoding: 'utf8',
    });
    return JSON.parse(said) as Readonly<Record<string, string>>;
  }
}

export const ENDED: ReadonlySet<string> = new Set(['terminated', 'shutting-down']);

function instanceOf(item: Element): Instance {
  const devices = items(item, 'blockDeviceMapping');
  return {
    id: textAt(item, 'instanceId'),
    state: textAt(item, 'instanceState', 'name'),
    type: textAt(item, 'instanceType'),
    zone: textAt(item, 'placement', 'availabilityZone'),
    address: textAt(item, 'privateIpAddress'),
    image: textAt(item, 'imageId'),
    tags: tagsOf(item),
    volumes: new Map(devices.map((one) => [textAt(one, 'deviceName'), textAt(one, 'ebs', 'volumeId')])),
  };
}

/** The emulator reads the service and the region of a signature, and verifies nothing. */
function signed(service: string): { readonly Authorization: string } {
  const credential = `AKIAFAKE/20260101/${REGION}/${service}/aws4_request`;
  return { Authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host, Signature=0` };
}
