/**
 * Evaluates `x-kubernetes-validations` of a schema over an object that already has its defaults, the way the
 * API server does on create: rules that compare with the old object are left out.
 */
import { Environment } from '@marcbachmann/cel-js';
import { type Cidr, formatCidr, parseCidr, subnet } from '#lib/api/cidr.ts';
import { isJsonObject, stringAt } from '#lib/api/json.ts';

/** Kubernetes' CIDR and IP library, as far as our rules use it. */
class Block {
  readonly block: Cidr | undefined;
  readonly text: string;
  constructor(text: string) {
    this.text = text;
    this.block = parseCidr(text);
  }
}
class Address {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const environment = new Environment({ unlistedVariablesAreDyn: true, homogeneousAggregateLiterals: false })
  .registerType('kubernetes.CIDR', Block)
  .registerType('kubernetes.IP', Address)
  .registerFunction('isCIDR(dyn): bool', (text: string) => isBlock(text))
  .registerFunction('cidr(dyn): kubernetes.CIDR', (text: string) => new Block(text))
  .registerFunction('kubernetes.CIDR.masked(): kubernetes.CIDR', (cidr: Block) => new Block(masked(cidr.text)))
  .registerFunction('kubernetes.CIDR.ip(): kubernetes.IP', (cidr: Block) => new Address(cidr.text.split('/')[0] ?? ''))
  .registerFunction('kubernetes.CIDR.containsIP(kubernetes.IP): bool', (cidr: Block, ip: Address) =>
    contains(cidr.text, ip.text),
  )
  .registerOperator('kubernetes.CIDR == kubernetes.CIDR', (a: Block, b: Block) => a.text === b.text);

function masked(text: string): string {
  const [address = '', prefix = ''] = text.split('/');
  const host = parseCidr(`${address}/${address.includes(':') ? 128 : 32}`);
  if (host === undefined) throw new Error(`${text} is not a CIDR`);
  const bits = BigInt((host.family === 4 ? 32 : 128) - Number(prefix));
  return formatCidr({ family: host.family, base: (host.base >> bits) << bits, prefix: Number(prefix) });
}

function isBlock(text: string): boolean {
  return /^[0-9a-fA-F.:]+\/\d+$/.test(text) && parseCidr(masked(text)) !== undefined;
}

function contains(block: string, address: string): boolean {
  const outer = parseCidr(masked(block));
  const host = parseCidr(`${address}/${address.includes(':') ? 128 : 32}`);
  if (outer === undefined || host?.family !== outer.family) return false;
  const first = subnet(outer, outer.prefix, 0);
  const bits = BigInt((outer.family === 4 ? 32 : 128) - outer.prefix);
  return first !== undefined && host.base >> bits === first.base >> bits;
}

/** One line per rule that does not hold: `spec.x: message`. A rule that cannot be evaluated is a line too. */
export function brokenRules(schema: unknown, value: unknown, path = ''): readonly string[] {
  if (!isJsonObject(schema) || value === undefined || value === null) return [];
  const rules = Array.isArray(schema['x-kubernetes-validations']) ? schema['x-kubernetes-validations'] : [];
  const own = rules.flatMap((rule: unknown) => judge(rule, schema, value, path));
  if (Array.isArray(value))
    return [...own, ...value.flatMap((item, i) => brokenRules(schema['items'], item, `${path}[${i}]`))];
  if (!isJsonObject(value)) return own;
  const { properties, additionalProperties } = schema;
  const below = Object.entries(value).flatMap(([key, item]) => {
    const inner = isJsonObject(properties) ? properties[key] : undefined;
    return brokenRules(inner ?? additionalProperties, item, path === '' ? key : `${path}.${key}`);
  });
  return [...own, ...below];
}

function judge(rule: unknown, schema: unknown, value: unknown, path: string): readonly string[] {
  if (!isJsonObject(rule) || typeof rule['rule'] !== 'string' || rule['rule'].includes('oldSelf')) return [];
  const where = path === '' ? '' : `${path}: `;
  try {
    const holds: unknown = environment.evaluate(rule['rule'], { self: typed(schema, value) });
    return holds === true ? [] : [`${where}${stringAt(rule, 'message') ?? rule['rule']}`];
  } catch (error) {
    return [`${where}rule ${rule['rule']} cannot be evaluated: ${error instanceof Error ? error.message : 'unknown'}`];
  }
}

/** CEL tells whole numbers from others; JSON does not, the schema does. */
function typed(schema: unknown, value: unknown): unknown {
  const known = isJsonObject(schema) ? schema : {};
  const whole = known['type'] === 'integer' || known['x-kubernetes-int-or-string'] === true;
  if (typeof value === 'number') return whole ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map((item) => typed(known['items'], item));
  if (!isJsonObject(value)) return value;
  const { properties, additionalProperties } = known;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      typed((isJsonObject(properties) ? properties[key] : undefined) ?? additionalProperties, item),
    ]),
  );
}
