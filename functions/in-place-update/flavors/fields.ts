/**
 * What each field of a Machine is made into, flavor by flavor: the ground its update rules stand on. What the cloud
 * then does with a change is not said here but read from `mutability.json`.
 */

/**
 * Node: provider-node changes it on the Node that runs. FirstBoot: only a first boot makes it so. Cloud: fields of the
 * cloud's object. Pool: only the pool itself goes by it. Birth: it says how the machine came to be, and is history then.
 */
export type Maker = 'Node' | 'FirstBoot' | 'Cloud' | 'Pool' | 'Birth';

export interface Field {
  /** Path below a Machine, with everything under it. */
  readonly path: string;
  readonly by: Maker;
  /** CEL that must hold for a change of it to be one the cloud makes. */
  readonly when?: string;
}

/** Every field of a Machine's spec but the order to update, which is no setting. */
export const FIELDS: readonly Field[] = [
  { path: 'spec.labels', by: 'Node' },
  { path: 'spec.annotations', by: 'Node' },
  { path: 'spec.taints', by: 'Node' },
  { path: 'spec.drain', by: 'Node' },
  { path: 'spec.nodePoolRef', by: 'Pool' },
  { path: 'spec.bootstrap.action', by: 'Birth' },
  { path: 'spec.bootstrap.provider', by: 'FirstBoot' },
  { path: 'spec.bootstrap.config', by: 'FirstBoot' },
  { path: 'spec.provisioning', by: 'FirstBoot' },
  { path: 'spec.version', by: 'FirstBoot' },
  // A restart is a first boot of another machine.
  { path: 'spec.rolloutAfter', by: 'FirstBoot' },
  { path: 'spec.clusterRef', by: 'FirstBoot' },
  { path: 'spec.role', by: 'FirstBoot' },
  { path: 'spec.failureDomain', by: 'Cloud' },
  { path: 'spec.machine.os', by: 'FirstBoot' },
  { path: 'spec.machine.class', by: 'Cloud' },
  { path: 'spec.machine.instanceType', by: 'Cloud' },
  { path: 'spec.machine.image', by: 'Cloud' },
  { path: 'spec.machine.rootDisk.sizeGiB', by: 'Cloud', when: 'new > old' },
  { path: 'spec.machine.rootDisk.type', by: 'Cloud' },
  { path: 'spec.machine.rootDisk.encrypted', by: 'Cloud' },
  // What an override changes nobody here can tell.
  { path: 'spec.infrastructure', by: 'FirstBoot' },
];

export interface Flavor {
  readonly name: string;
  /** Kind of the virtual machine: group and kind, as in mutability.json. */
  readonly kind: string;
  /** Fields of its forProvider that a field of the Machine is made into. */
  readonly made: Readonly<Record<string, readonly string[]>>;
  /** Fields of forProvider whose change stops the machine and starts it again; Terraform's own word for it is a plain update. */
  readonly restarts: readonly string[];
}

export const FLAVORS: readonly Flavor[] = [
  {
    name: 'aws',
    kind: 'ec2.aws.m.upbound.io/Instance',
    made: {
      'spec.failureDomain': ['subnetId'],
      'spec.machine.class': ['instanceType'],
      'spec.machine.instanceType': ['instanceType'],
      'spec.machine.image': ['ami'],
      'spec.machine.rootDisk.sizeGiB': ['rootBlockDevice.volumeSize'],
      'spec.machine.rootDisk.type': ['rootBlockDevice.volumeType'],
      'spec.machine.rootDisk.encrypted': ['rootBlockDevice.encrypted'],
    },
    restarts: ['instanceType', 'userData', 'userDataBase64', 'capacityReservationSpecification'],
  },
  {
    name: 'azure',
    kind: 'compute.azure.m.upbound.io/LinuxVirtualMachine',
    made: {
      'spec.failureDomain': ['zone'],
      'spec.machine.class': ['size'],
      'spec.machine.instanceType': ['size'],
      'spec.machine.image': ['sourceImageId', 'sourceImageReference'],
      'spec.machine.rootDisk.sizeGiB': ['osDisk.diskSizeGb'],
      'spec.machine.rootDisk.type': ['osDisk.storageAccountType'],
      'spec.machine.rootDisk.encrypted': ['encryptionAtHostEnabled'],
    },
    restarts: [
      'additionalCapabilities.ultraSsdEnabled',
      'capacityReservationGroupId',
      'dedicatedHostGroupId',
      'dedicatedHostId',
      'diskControllerType',
      'encryptionAtHostEnabled',
      'maxBidPrice',
      'networkInterfaceIds',
      'osDisk.caching',
      'osDisk.diskEncryptionSetId',
      'osDisk.diskSizeGb',
      'osDisk.writeAcceleratorEnabled',
      'proximityPlacementGroupId',
      'size',
    ],
  },
  {
    name: 'gcp',
    kind: 'compute.gcp.m.upbound.io/Instance',
    made: {
      'spec.failureDomain': ['zone'],
      'spec.machine.class': ['machineType'],
      'spec.machine.instanceType': ['machineType'],
      'spec.machine.image': ['bootDisk.initializeParams.image'],
      'spec.machine.rootDisk.sizeGiB': ['bootDisk.initializeParams.size'],
      'spec.machine.rootDisk.type': ['bootDisk.initializeParams.type'],
      'spec.machine.rootDisk.encrypted': ['bootDisk.kmsKeySelfLink'],
    },
    restarts: [
      'advancedMachineFeatures',
      'enableDisplay',
      'machineType',
      'minCpuPlatform',
      'networkInterface[].network',
      'networkInterface[].subnetwork',
      'networkInterface[].subnetworkProject',
      'scheduling.nodeAffinities',
      'serviceAccount',
      'shieldedInstanceConfig',
    ],
  },
];
