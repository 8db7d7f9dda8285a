/** Faults of what providers do with composed objects, each with its mending undone and the test that then fails. */

export interface Fault {
  readonly name: string;
  /** In the repository. */
  readonly file: string;
  /** Text of it, once, and what it would be with the fault. */
  readonly mended: string;
  readonly faulty: string;
  /** Test file, and a part of the name of a test. */
  readonly test: readonly [file: string, name: string];
}

const AWS = 'test/clouds/aws.test.ts';
const AZURE_VM = 'clouds/azure/machine/vm.ts';
const LEFT_OFF = 'test/clouds/left-off.test.ts';
const DISKS = 'test/clouds/data-disks.test.ts';
const PRIVATE = 'test/clouds/private-endpoint.test.ts';
const KNOWN_IDS = 'test/clouds/known-ids.test.ts';

export const FAULTS: readonly Fault[] = [
  {
    name: 'AWS: empty lists are desired, and every instance is written for ever',
    file: 'lib/cloud/managed.ts',
    mended: 'forProvider: withoutEmpties(forProvider),',
    faulty: 'forProvider: { ...forProvider, secondaryPrivateIps: [] },',
    test: [AWS, 'told no empty list'],
  },
  {
    name: 'AWS: the provider panics once a volume is attached to an instance without disks',
    file: 'lib/cloud/data-disks.ts',
    mended: 'return { [field]: id === undefined ? dataDisksOf(situation).map(made) : [standIn] };',
    faulty: 'return { [field]: dataDisksOf(situation).map(made) };',
    test: ['clouds/aws/machine/instance.test.ts', 'need a list in initProvider'],
  },
  {
    name: 'AWS: volumes of drivers are filled in, and refused once they are gone',
    file: 'clouds/aws/machine/instance.ts',
    mended:
      'resource: isIdStored(observed) ? notFilledIn(takingOver(resource, CHANGED_BY_OTHERS, observed)) : resource,',
    faulty: 'resource,',
    test: ['test/clouds/volumes.test.ts', 'aws'],
  },
  {
    name: 'AWS: stickiness of target groups is filled in, which switches it on',
    file: 'clouds/aws/infrastructure/load-balancer.ts',
    mended: "    stickiness: { enabled: false, type: 'source_ip' },\n",
    faulty: '',
    test: [AWS, 'target groups have no stickiness'],
  },
  {
    name: 'AWS: the network interface of a gateway is filled in for its address',
    file: 'clouds/aws/infrastructure/network.ts',
    mended: 'isIdStored(observed.get(key)) ? notFilledIn(resource) : resource',
    faulty: 'observed.has(key) ? resource : resource',
    test: [AWS, 'fills in nothing of an EIP'],
  },
  {
    name: 'AWS: first-boot data is in forProvider, where other data stops a machine',
    file: 'clouds/aws/machine/instance.ts',
    mended: '  const forProvider: JsonObject = {\n',
    faulty:
      '  const forProvider: JsonObject = {\n    ...(userData === undefined ? {} : { userDataBase64: userData }),\n',
    test: ['clouds/aws/machine/hand-over.test.ts', 'match the golden file'],
  },
  {
    name: 'AWS, GCP 6: a secret that its machine deleted is made again',
    file: 'lib/cloud/hand-over.ts',
    mended: '? notMadeAgain(kept) : kept',
    faulty: '? kept : kept',
    test: [AWS, 'is not made again'],
  },
  {
    name: 'AWS: an id is never stored, and a restart of the provider makes a second machine',
    file: 'clouds/aws/machine/instance.ts',
    mended: ': resource,\n    kept:',
    faulty: ': notFilledIn(resource),\n    kept:',
    test: ['clouds/aws/machine/instance.test.ts', 'stores the id'],
  },
  {
    name: 'Azure 1: the first control plane asks a load balancer that never leads back to it',
    file: 'clouds/azure/infrastructure/local-address.ts',
    mended: '{ localAddress: true }',
    faulty: '{}',
    test: [PRIVATE, 'on azure, kubeadm with cloud-init'],
  },
  {
    name: 'AWS 2: a provider is accepted that cannot read the rules of security groups',
    file: 'package/configuration-aws/crossplane.yaml',
    mended: '>=v2.6.0 <v3.0.0',
    faulty: '>=v2.0.0 <v3.0.0',
    test: ['package/build/release.test.ts', 'no provider-aws-ec2 is accepted'],
  },
  {
    name: 'Azure 2: a provider is accepted that lacks fields of vaults',
    file: 'package/configuration-azure/crossplane.yaml',
    mended: "provider-azure-keyvault\n      version: '>=v2.3.0",
    faulty: "provider-azure-keyvault\n      version: '>=v2.0.0",
    test: ['test/clouds/oldest-providers.test.ts', 'azure'],
  },
  {
    name: 'Azure 3: a node that drains leaves its groups',
    file: 'clouds/azure/machine/network-interface.ts',
    mended: 'return [key, deletedWithItsWhole(membership)];',
    faulty: 'return [key, membership];',
    test: [DISKS, 'azure'],
  },
  {
    name: 'GCP 4: a disk is detached from a node that drains',
    file: 'clouds/gcp/machine/data-disks.ts',
    mended: 'return [...disks, ...usages(situation, disks)];',
    faulty: 'return disks;',
    test: [DISKS, 'gcp'],
  },
  {
    name: 'Azure 5: a lost machine is never known to be lost',
    file: 'clouds/azure/machine/read.ts',
    mended: 'notFound: id === undefined ? undefined : notFound(observed, REFUSED),',
    faulty: 'notFound: undefined,',
    test: ['clouds/azure/machine/lost.test.ts', 'is lost at once'],
  },
  {
    name: 'Azure 7: a membership has no id from the start',
    file: 'clouds/azure/machine/network-interface.ts',
    mended: 'externalName: nic === undefined ? undefined : `${nic}|${group}`,',
    faulty: '',
    test: [KNOWN_IDS, ''],
  },
  {
    name: 'Azure 7: a secret of a vault has no id from the start',
    file: 'clouds/azure/machine/hand-over.ts',
    mended: 'externalName: filled(known) ?? `${address}/${NO_VERSION}`,',
    faulty: '',
    test: ['clouds/azure/machine/hand-over.test.ts', 'has an id'],
  },
  {
    name: 'GCP 8: a machine that did not start with its new size stays off',
    file: 'clouds/gcp/machine/instance.ts',
    mended: "    desiredStatus: 'RUNNING',\n",
    faulty: '',
    test: [LEFT_OFF, 'Google'],
  },
  {
    name: 'Azure 8: nobody says that a machine was left off',
    file: AZURE_VM,
    mended: 'failed: released ? leftOff(observed) : undefined,',
    faulty: 'failed: undefined,',
    test: [LEFT_OFF, 'Azure'],
  },
  {
    name: 'GCP 9: a control plane drops what its load balancer passes on',
    file: 'clouds/gcp/infrastructure/local-address.ts',
    mended: '{ localAddress: true }',
    faulty: '{}',
    test: [PRIVATE, 'on gcp, kubeadm with cloud-init'],
  },
  {
    name: 'GCP 9: Talos, which has no such address, is accepted',
    file: 'functions/bootstrap/talos/traits.ts',
    mended: 'takesAddress: false',
    faulty: 'takesAddress: true',
    test: ['clouds/gcp/infrastructure/cluster.test.ts', 'is refused if its machines cannot have it'],
  },
  {
    name: 'Azure 10: a status changes with the ids of each call',
    file: 'lib/api/conditions.ts',
    mended: 'stableMessage(message)',
    faulty: 'message',
    test: ['clouds/aws/machine/capacity.test.ts', 'the same at every attempt'],
  },
  {
    name: 'GCP 11: a list that the provider filled in stays',
    file: 'clouds/gcp/machine/instance.ts',
    mended: 'notFilledIn(stage.id === undefined ? resource : takingOver(resource, [LIST], observed))',
    faulty: 'notFilledIn(resource)',
    test: ['clouds/gcp/machine/instance.test.ts', 'no longer in the list'],
  },
  {
    name: 'Azure 12: purge protection is taken from a vault, which Azure refuses for ever',
    file: 'clouds/azure/infrastructure/identity.ts',
    mended: 'rbacAuthorizationEnabled: true,',
    faulty: 'rbacAuthorizationEnabled: true,\n    purgeProtectionEnabled: false,',
    test: ['test/clouds/azure.test.ts', 'for a cluster matches the golden file'],
  },
  {
    name: 'Azure 13: names have words that Azure reserves',
    file: 'clouds/azure/names.ts',
    mended: '/login|microsoft|windows|xbox/g',
    faulty: '/microsoft|windows/g',
    test: ['clouds/azure/names.test.ts', 'a cluster called'],
  },
  {
    name: 'Azure 14: vaults are in one domain in every cloud of Azure',
    file: 'clouds/azure/machine/boot-stub.ts',
    mended: '"&resource=https%3A%2F%2F" + WHERE["domain"] + "&msi_res_id="',
    faulty: '"&resource=https%3A%2F%2Fvault.azure.net&msi_res_id="',
    test: ['clouds/azure/machine/first-boot.test.ts', 'another domain'],
  },
];
