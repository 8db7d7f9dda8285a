/** The security group of machines with its rules, and the groups of machines that the rules name. */
import { at, type KubeObject } from '#lib/api/json.ts';
import { output } from '#lib/cloud/observed.ts';
import { type Entry, ref } from '#lib/cloud/managed.ts';
import { notFilledIn } from '#lib/cloud/policies.ts';
import { kept, managed, type Observed } from './resource.ts';
import { groupKey, type MachineGroup, type Rule, ruleKey, rulesOf, sourceOf } from './security-rules.ts';
import type { Site } from './site.ts';
import { clusterTags } from './tags.ts';

const GROUPS: readonly MachineGroup[] = ['node', 'control-plane'];
const SECURITY_GROUP = 'security-group';

/** None where somebody else provides the groups of machines: what may reach those is theirs to say. */
export function security(site: Site, observed: Observed): readonly Entry[] {
  if (site.existing.securityGroups !== undefined) return [];
  return [
    ...GROUPS.map((group) => managed(site, 'ApplicationSecurityGroup', groupKey(group), { tags: clusterTags(site) })),
    securityGroup(site),
    ...securityRules(site, observed),
  ];
}

/**
 * Ids of what the network interface of a machine gets: the security group, then its groups. Undefined until all are
 * known.
 */
export function securityGroupsOf(group: MachineGroup, observed: Observed): readonly string[] | undefined {
  const groups: readonly MachineGroup[] = group === 'node' ? ['node'] : ['control-plane', 'node'];
  const ids = [SECURITY_GROUP, ...groups.map(groupKey)].map((key) => output(observed.get(key), 'id'));
  return ids.some((id) => id === undefined) ? undefined : ids.filter((id) => id !== undefined);
}

/** Its rules are objects of their own, and controllers of Azure add others: the provider must not take them for its. */
function securityGroup(site: Site): Entry {
  const [key, resource] = managed(site, 'SecurityGroup', SECURITY_GROUP, { tags: clusterTags(site) });
  return [key, notFilledIn(resource)];
}

/** Rules name groups of machines by their ids. One that exists stays while those cannot be read. */
function securityRules(site: Site, observed: Observed): readonly Entry[] {
  const ids = new Map(GROUPS.map((group) => [group, output(observed.get(groupKey(group)), 'id')] as const));
  const isKnown = [...ids.values()].every((id) => id !== undefined);
  const idOf = (group: MachineGroup): string => ids.get(group) ?? '';
  const rules = rulesOf(site, observed);
  const priorities = prioritiesOf(rules, observed);
  return rules.flatMap((rule) => {
    const key = ruleKey(rule.name);
    if (!isKnown) return kept(key, observed);
    return [managed(site, 'SecurityRule', key, securityRule(site, rule, priorities.get(rule.name) ?? 0, idOf))];
  });
}

function securityRule(site: Site, rule: Rule, priority: number, idOf: (group: MachineGroup) => string) {
  return {
    networkSecurityGroupNameRef: ref(site, SECURITY_GROUP),
    priority,
    direction: 'Inbound',
    access: rule.refuses === true ? 'Deny' : 'Allow',
    protocol: rule.protocol,
    ...sourceOf(rule, idOf),
    sourcePortRange: '*',
    ...(rule.to === undefined
      ? { destinationAddressPrefix: '*' }
      : { destinationApplicationSecurityGroupIds: [idOf(rule.to)] }),
    destinationPortRanges: [...rule.ports],
    description: `${rule.what} of Cluster ${site.namespace}/${site.cluster}`.slice(0, 140),
  };
}

/** Controllers of Azure put theirs below, and the refusal of everything else is the last one. */
const FIRST = 1000;
const STEP = 10;
const LAST = 4096;

/** Two rules of one group cannot have the same priority, so a rule keeps its own, and a new one gets one that is free. */
function prioritiesOf(rules: readonly Rule[], observed: Observed): ReadonlyMap<string, number> {
  const made = new Map<string, number>();
  for (const [key, object] of observed) {
    const priority = priorityIn(object);
    if (object.kind === 'SecurityRule' && priority !== undefined) made.set(key, priority);
  }
  const taken = new Set(made.values());
  const found = new Map<string, number>();
  let next = FIRST;
  for (const { name, refuses } of rules) {
    const before = made.get(ruleKey(name));
    while (taken.has(next)) next += STEP;
    const priority = before ?? (refuses === true ? LAST : next);
    taken.add(priority);
    found.set(name, priority);
  }
  return found;
}

function priorityIn(rule: KubeObject): number | undefined {
  const priority = at(rule, 'spec', 'forProvider', 'priority');
  return typeof priority === 'number' ? priority : undefined;
}
