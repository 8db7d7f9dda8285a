/**
 * What Cluster API, kubeadm and the kubelet call what a claim has another place for: the tables of bootstrap providers are
 * made of these. Only the line about an unknown field says it: nothing is read by these names.
 */

/** Settings of a host, which every bootstrap provider leaves to the claim. A field of both kinds each. */
const OF_THE_CLAIM = {
  'spec.version': 'kubernetesVersion k8sVersion version',
  'spec.provisioning.files': 'files',
  'spec.provisioning.users': 'users',
  'spec.provisioning.ntp': 'ntp',
  'spec.provisioning.mounts': 'mounts',
  'spec.provisioning.disks': 'diskSetup',
  'spec.provisioning.format': 'format',
  'spec.provisioning.commands.pre': 'preKubeadmCommands preCommands preRunCommands',
  'spec.provisioning.commands.post': 'postKubeadmCommands postCommands postRunCommands',
} as const;

/** Of KubeletConfiguration, those that people set. */
const KUBELET = [
  'maxPods',
  'podsPerCore',
  'podPidsLimit',
  'evictionHard',
  'evictionSoft',
  'systemReserved',
  'kubeReserved',
  'clusterDNS',
  'cpuManagerPolicy',
  'topologyManagerPolicy',
  'imageGCHighThresholdPercent',
  'imageGCLowThresholdPercent',
  'containerLogMaxSize',
  'serializeImagePulls',
  'shutdownGracePeriod',
  'rotateCertificates',
] as const;

/** @param names  by the field, its other names with blanks between them @returns  the field, by each of its names */
export function otherNames(names: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries({ ...OF_THE_CLAIM, ...names }).flatMap(([field, others]) =>
      others.split(' ').map((other) => [other, field] as const),
    ),
  );
}

/**
 * Fields of the kubelet that were written at the top or among its flags.
 * @param place  of those that the provider passes on @param field  as the provider calls one of KubeletConfiguration
 */
export function kubeletFields(
  place: string,
  field: (name: string) => string = (name) => name,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    KUBELET.map((name) => {
      const ours = `${place}.${field(name)}`;
      const others = [name, `kubelet.${name}`, `kubeletConfiguration.${name}`];
      return [ours, others.filter((other) => other !== ours).join(' ')];
    }),
  );
}
