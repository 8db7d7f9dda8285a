import { expect, test } from 'vitest';
import { onlyClients, onlyServices, withoutIdentity } from './terraform.ts';

test('only services of kinds that Slipway composes are registered', () => {
  const text =
    '\t"x/internal/service/ec2"\n\t"x/internal/service/rds"\nfunc\n\t\tec2.ServicePackage(ctx),\n\t\trds.ServicePackage(ctx),';
  expect(onlyServices(text)).toBe('\t"x/internal/service/ec2"\nfunc\n\t\tec2.ServicePackage(ctx),');
});

test('rules of security groups have no identity, and others keep theirs', () => {
  const one = (type: string) => `\tTypeName: "${type}",\n\t\tRegion: a,\n\t\tIdentity: b(c),\n\t},\n`;
  const text = `${one('aws_vpc_security_group_ingress_rule')}${one('aws_vpc')}`;
  expect(withoutIdentity(text)).toBe(text.replace('\n\t\tIdentity: b(c),', ''));
});

test('a client that nothing uses goes with its import', () => {
  const client = (name: string) =>
    `func (c *AWSClient) ${name.toUpperCase()}Client(ctx x) *${name}.Client {\n\treturn ${name}.New()\n}\n\n`;
  const imports = (...names: readonly string[]) =>
    `import (\n${names.map((name) => `\t"github.com/aws/aws-sdk-go-v2/service/${name}"\n`).join('')})\n\n`;
  const text = `${imports('ec2', 'rds')}${client('ec2')}${client('rds')}`;
  expect(onlyClients(text, new Set(['EC2Client']))).toBe(`${imports('ec2')}${client('ec2')}`);
});
