/**
 * A copy of the Terraform provider with a few services of its 250: what is not registered is not compiled, and neither is
 * the client of a service that nothing uses.
 */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const MODULE = 'github.com/hashicorp/terraform-provider-aws/';
const SERVICES: ReadonlySet<string> = new Set(['ec2', 'elbv2', 'iam', 'meta', 'secretsmanager', 'sts']);
const REGISTERED = 'internal/provider/sdkv2/service_packages_gen.go';
const CLIENTS = 'internal/conns/awsclient_gen.go';
const ENTRIES = ['internal/provider/sdkv2', 'internal/provider/framework', 'xpprovider'] as const;
const LEFT_OUT = new Set(['website', 'docs', 'examples', 'testdata', 'test-fixtures', 'infrastructure', 'skaff']);

/** @param from  folder of the module. @param to  a new folder */
export function cutDown(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  // Modules are read-only: modes are not taken over.
  cpSync(from, to, { recursive: true, filter: (path) => isNeeded(basename(path)), preserveTimestamps: false });
  change(join(to, REGISTERED), onlyServices);
  change(join(to, 'internal/service/ec2/service_package_gen.go'), withoutIdentity);
  const packages = reachable(to);
  const used = new Set(packages.flatMap((path) => clientsIn(join(to, path))));
  change(join(to, CLIENTS), (text) => onlyClients(text, used));
}

function isNeeded(name: string): boolean {
  return !LEFT_OUT.has(name) && !name.startsWith('.') && !name.endsWith('_test.go');
}

function change(file: string, by: (text: string) => string): void {
  const text = by(readFileSync(file, 'utf8'));
  rmSync(file);
  writeFileSync(file, text);
}

export function onlyServices(text: string): string {
  const service = (line: string): string | undefined =>
    /internal\/service\/([a-z0-9]+)"/.exec(line)?.[1] ?? /^\s+([a-z0-9]+)\.ServicePackage\(ctx\)/.exec(line)?.[1];
  return text
    .split('\n')
    .filter((line) => SERVICES.has(service(line) ?? 'ec2'))
    .join('\n');
}

/** Rules of security groups, as of provider-aws v2.6.0: before, their missing identity fails each read. */
const RULES =
  /(?<head>TypeName: "aws_vpc_security_group_(?:in|e)gress_rule",(?:(?!TypeName:)[\s\S])*?)\n\t*Identity: [^\n]*/g;

export function withoutIdentity(text: string): string {
  return text.replaceAll(RULES, '$<head>');
}

/** Packages of the module that the entries need. */
function reachable(folder: string): readonly string[] {
  const found = new Set<string>();
  const open: string[] = [...ENTRIES];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path) || !existsSync(join(folder, path))) continue;
    found.add(path);
    for (const text of sources(join(folder, path)))
      for (const [, next = ''] of text.matchAll(new RegExp(`"${MODULE}([^"]+)"`, 'g'))) open.push(next);
  }
  return [...found];
}

function sources(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.go') && name !== basename(CLIENTS))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}

function clientsIn(folder: string): readonly string[] {
  return sources(folder).flatMap((text) => [...text.matchAll(/\.(\w+Client)\(/g)].map(([, name = '']) => name));
}

const CLIENT = /^func \(c \*AWSClient\) (?<name>\w+)\(ctx[\s\S]*?^\}\n\n?/gm;
const IMPORT = /^\t(?:(?<name>\w+) )?"(?<path>github\.com\/aws\/aws-sdk-go-v2\/[^"]+)"\n/gm;

export function onlyClients(text: string, used: ReadonlySet<string>): string {
  const kept = text.replaceAll(CLIENT, (whole, name: string) => (used.has(name) ? whole : ''));
  const body = kept.slice(kept.indexOf('\n)'));
  return kept.replaceAll(IMPORT, (whole, name: string | undefined, path: string) =>
    new RegExp(`\\b${name ?? path.split('/').at(-1)}\\.`).test(body) ? whole : '',
  );
}
