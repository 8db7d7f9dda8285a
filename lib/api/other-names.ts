/**
 * What Cluster API, Karpenter, Crossplane v1 and the managed pools of clouds call a field that has another name or place
 * in a claim. Only the line about an unknown field says it: nothing is read by these names.
 */

interface OtherNames {
  /** The object that people write them in: the end of its path, without the indexes of lists. */
  readonly inside: string;
  readonly names: readonly string[];
  /** Fields of a claim from its spec, or beside the unknown one; of several, the first that the kind has. */
  readonly fields: readonly string[];
  /** The value to write there, unless the claim says false; left out: the one of the claim. */
  readonly value?: string;
}

const of = (inside: string, names: string, fields: string, value?: string): OtherNames => ({
  inside,
  names: names.split(' '),
  fields: fields.split(' '),
  ...(value === undefined ? {} : { value }),
});

const inPlan = (field: string): string => `spec.machine${field} spec.controlPlane.machine${field}`;

/** Each is a field of some claim: a test holds them to it. */
export const OTHER_NAMES: readonly OtherNames[] = [
  // Crossplane v1 had its own fields at the top of spec.
  ...['Ref', 'Selector', 'RevisionRef', 'RevisionSelector', 'UpdatePolicy'].map((end) =>
    of('spec', `composition${end}`, `spec.crossplane.composition${end}`),
  ),
  of('spec', 'kubernetesVersion k8sVersion currentKubernetesVersion orchestratorVersion masterVersion', 'spec.version'),
  of('spec', 'topology', 'spec.controlPlane'),
  of('spec', 'controlPlaneRef controlPlaneConfig', 'spec.controlPlane'),
  of('spec', 'controlPlaneEndpoint', 'spec.controlPlane.endpoint'),
  of('spec', 'infrastructureRef', 'spec.machine spec.crossplane.compositionSelector'),
  of('spec', 'name', 'metadata.name'),
  of('spec', 'template nodeClassRef machineTemplate launchTemplate nodeConfig properties', 'spec.machine'),
  of('spec', 'clusterName cluster clusterNameRef', 'spec.clusterRef.name'),
  of('spec', 'location', 'spec.region'),
  of('spec', 'clusterNetwork networking networkConfig', 'spec.network'),
  of('spec', 'zones availabilityZones failureDomains failureDomain zone', inPlan('.zones')),
  of('spec', 'minReplicas maxReplicas minSize maxSize minCount maxCount minNodeCount maxNodeCount', 'spec.replicas'),
  of('spec', 'autoscaling scalingConfig desiredSize desiredCapacity', 'spec.replicas'),
  of('spec', 'count nodeCount initialNodeCount machineCount size', 'spec.replicas spec.controlPlane.replicas'),
  of('spec', 'instanceTypes machineType vmSize', inPlan('.instanceType')),
  of('spec', 'diskSize diskSizeGb diskSizeGiB volumeSize', inPlan('.rootDisk.sizeGiB')),
  of('spec', 'spot spotInstances preemptible', 'spec.machine.capacityType', 'spot'),
  of('spec', 'nodeLabels', 'spec.labels spec.controlPlane.labels'),
  of('spec', 'nodeTaints startupTaints', 'spec.taints spec.controlPlane.taints'),
  of('spec', 'strategy rollout rolloutStrategy updateStrategy updateConfig upgradeSettings', 'spec.update'),
  of('spec', 'nodeDrainTimeout nodeDrainTimeoutSeconds terminationGracePeriod', 'spec.update.drain.timeout'),
  of('spec', 'deletePolicy', 'spec.deletion.order'),
  of('spec', 'machineHealthCheck remediation management', 'spec.health'),
  of('spec', 'bootstrapProvider distribution', 'spec.bootstrap.provider'),
  of('spec', 'kubeadmConfigSpec clusterConfiguration kubelet kubeletConfig', 'spec.bootstrap.config'),
  of('spec', 'kubeletExtraArgs nodeRegistration initConfiguration joinConfiguration', 'spec.bootstrap.config'),
  of('spec', 'kubeletConfiguration', 'spec.bootstrap.config'),
  of('spec', 'preKubeadmCommands userData bootstrapCommands', 'spec.provisioning.commands.pre'),
  of('spec', 'postKubeadmCommands', 'spec.provisioning.commands.post'),
  of('spec', 'diskSetup', 'spec.provisioning.disks'),
  of('spec', 'sshKey sshKeyName remoteAccess sshPublicKey sshPublicKeys', 'spec.provisioning.users'),
  of('spec', 'charts helmCharts cni', 'spec.addons'),
  of('spec', 'suspend suspended', 'spec.paused'),
  of('spec', 'vpc vpcId networkId', 'spec.infrastructure.existing.network'),
  of('spec', 'subnet subnetIds', 'spec.infrastructure.existing.subnets'),
  of('network', 'podCIDR podCidr podCIDRs podSubnet clusterCIDR clusterIPv4CIDR', 'pods'),
  of('network', 'serviceCIDR serviceCidr serviceSubnet serviceClusterIPRange', 'services'),
  of('network', 'nodeCIDR nodeSubnet vpcCIDR cidr cidrBlock', 'nodes'),
  of('network', 'serviceDomain clusterDomain domain', 'dnsDomain'),
  of('controlPlane', 'count size machineCount', 'replicas'),
  of('controlPlane', 'kubeadmConfigSpec clusterConfiguration kubeletExtraArgs', 'spec.bootstrap.config'),
  of('controlPlane', 'initConfiguration joinConfiguration', 'spec.bootstrap.config'),
  of('controlPlane', 'preKubeadmCommands', 'spec.provisioning.commands.pre'),
  of('controlPlane', 'postKubeadmCommands', 'spec.provisioning.commands.post'),
  of('controlPlane', 'machineTemplate infrastructureRef template', 'machine'),
  of('controlPlane', 'machineType vmSize', 'machine.instanceType'),
  of('controlPlane', 'zones availabilityZones failureDomains', 'machine.zones'),
  of('controlPlane', 'public publicAccess endpointPublicAccess', 'scheme', 'internet-facing'),
  of('controlPlane', 'private privateCluster endpointPrivateAccess', 'scheme', 'internal'),
  of('controlPlane', 'publicAccessCidrs authorizedNetworks authorizedIPRanges', 'allowedCIDRs'),
  // Of a pool alone: a control plane has no such machines.
  of(
    'machine',
    'spot useSpot spotInstances preemptible spotMarketOptions spotVMOptions',
    'spec.machine.capacityType',
    'spot',
  ),
  of('machine', 'marketType purchaseOption capacity-type', 'capacityType'),
  of('machine', 'size flavor', 'class'),
  of('machine', 'type instance instanceTypes machineType vmSize', 'instanceType'),
  of('machine', 'ami amiID imageId imageID imageName imageRef osImage', 'image'),
  of('machine', 'osType operatingSystem', 'os'),
  of('machine', 'disk osDisk bootDisk rootVolume rootDevice', 'rootDisk'),
  of('machine', 'diskSize diskSizeGb diskSizeGiB volumeSize', 'rootDisk.sizeGiB'),
  of('machine', 'diskType volumeType', 'rootDisk.type'),
  of('machine', 'disks additionalDisks extraVolumes nonRootVolumes volumes blockDeviceMappings', 'dataDisks'),
  of('machine', 'zone availabilityZone availabilityZones failureDomain failureDomains', 'zones'),
  ...['rootDisk', 'dataDisks'].flatMap((disk) => [
    of(disk, 'size sizeGB sizeGb diskSizeGb volumeSize', 'sizeGiB'),
    of(disk, 'volumeType diskType storageClass', 'type'),
    of(disk, 'encryption encrypt', 'encrypted'),
  ]),
  of('update', 'rollingUpdate type', 'strategy'),
  of('bootstrap', 'kubeadmConfigSpec clusterConfiguration kubeletExtraArgs nodeRegistration', 'config'),
  of('bootstrap', 'initConfiguration joinConfiguration kubeletConfiguration', 'config'),
  of('provisioning', 'write_files writeFiles', 'files'),
  of('provisioning', 'bootcmd runcmd preKubeadmCommands', 'commands.pre'),
  of('provisioning', 'postKubeadmCommands', 'commands.post'),
  of('provisioning', 'sshKeys ssh_authorized_keys sshAuthorizedKeys', 'users'),
  of('provisioning', 'ca_certs caCerts trustedCAs', 'caCertificates'),
  of('provisioning', 'registryMirrors mirrors', 'registries'),
  of('files', 'permissions', 'mode'),
  of('disks', 'overwrite wipe_table wipeTable', 'wipe', 'true'),
  of('disks', 'layout tableType table_type', 'partitions'),
  of('filesystems', 'filesystem fsType type', 'format'),
  of('filesystems', 'extraOpts extra_opts mkfsOptions', 'options'),
  of('filesystems', 'overwrite replaceFS replace_fs wipeFilesystem', 'wipe', 'true'),
  of('filesystems', 'dataDisk disk', 'device'),
  of('mounts', 'mountPath mountPoint where', 'path'),
  of('mounts', 'source what dataDisk', 'device'),
  of('chart', 'repo repoURL repoUrl url', 'repository'),
  of('proxy', 'http_proxy httpProxy HTTP_PROXY', 'http'),
  of('proxy', 'https_proxy httpsProxy HTTPS_PROXY', 'https'),
  of('proxy', 'no_proxy noProxy NO_PROXY', 'none'),
  of('users', 'password passwd hashedPasswd hashed_passwd plainTextPasswd plain_text_passwd', 'passwordHash'),
  of('users', 'passwordFrom passwdFrom passwordSecret passwordSecretRef', 'passwordHashFrom'),
];

const ROOTS: ReadonlySet<string | undefined> = new Set(['metadata', 'spec']);

/**
 * The field of a claim that is meant: `clusterRef.name`, or with its value.
 * @param at  path of the object around the unknown field, its names alone
 * @param wrote  its value
 * @param has  whether the kind has a field
 */
export function otherName(
  at: readonly string[],
  key: string,
  wrote: unknown,
  has: (field: readonly string[]) => boolean,
): string | undefined {
  for (const { fields, value } of OTHER_NAMES.filter((one) => one.inside === at.at(-1) && one.names.includes(key)))
    for (const field of fields) {
      const steps = field.split('.');
      const path = ROOTS.has(steps[0]) ? steps : [...at, ...steps];
      if (has(path)) return `${field}${value === undefined || wrote === false ? '' : `: ${value}`}`;
    }
  return undefined;
}
