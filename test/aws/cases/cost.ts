/** What looks at objects at rest cost, by what a call is about: ids begin with their kind. */
import type { Call } from '../cloud/call.ts';
import { counted } from './seen.ts';

const KINDS: Readonly<Record<string, string>> = {
  i: 'Instance',
  vpc: 'VPC',
  subnet: 'Subnet',
  igw: 'InternetGateway',
  nat: 'NATGateway',
  eipalloc: 'EIP',
  rtb: 'RouteTable, Route',
  rtbassoc: 'RouteTableAssociation',
  sg: 'SecurityGroup',
  sgr: 'SecurityGroupRule',
  vol: 'volume of an Instance',
  fl: 'FlowLog',
  loadbalancer: 'LB',
  targetgroup: 'LBTargetGroup',
  listener: 'LBListener',
};

/** A line for each kind: objects, calls for each of them and poll, and which. */
export function costOf(calls: readonly Call[], polls: number): readonly string[] {
  const kinds = Map.groupBy(calls, kindOf);
  return [...kinds]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([kind, own]) => {
      const objects = new Set(own.map(({ about }) => about)).size;
      const each = (own.length / objects / polls).toFixed(1);
      const actions = [...counted(own.map(({ action }) => action)).keys()].join(', ');
      return `${kind}: ${objects} × ${each} calls a poll (${actions})`;
    });
}

function kindOf({ about, action }: Call): string {
  const arn = /^arn:aws:elasticloadbalancing:[^:]*:[^:]*:([a-z]+)/.exec(about)?.[1];
  const prefix = arn ?? /^([a-z]+)-[0-9a-f]+$/.exec(about)?.[1] ?? '';
  return KINDS[prefix] ?? action.replace(/^(Get|Describe|List)/, '');
}
