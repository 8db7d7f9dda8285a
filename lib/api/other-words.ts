/**
 * What Kubernetes, clouds and other projects call what a claim has another word for: a value of a closed list, a format or
 * a kind. Only the line that refuses a word says it: nothing is read by these words.
 */
export const OTHER_WORDS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    'internet-facing': 'public external internet',
    internal: 'private',
    spot: 'preemptible low-priority lowpriority',
    'on-demand': 'ondemand on_demand regular standard normal',
    worker: 'node agent',
    linux: 'ubuntu debian',
    base64: 'b64',
    'gzip+base64': 'gzip gz gz+base64 gz+b64',
    vfat: 'fat fat32 msdos',
    OnDelete: 'manual',
    RollingUpdate: 'rolling rollingupdates',
    'cloud-init': 'cloud-config cloudinit cloud-config.yaml user-data',
    ignition: 'butane fcos flatcar',
    'cloudbase-init': 'cloudbase',
    NodePool: 'machinedeployment machinepool machineset nodegroup nodeclass nodeclaim',
    Cluster: 'kubeadmcontrolplane controlplane',
  }).map(([word, others]) => [word, others.split(' ')]),
);

/** The one of some words that is meant by another project's word; undefined: none is. */
export function otherWord(wrote: string, words: Iterable<string>): string | undefined {
  const plain = wrote.toLowerCase();
  return [...words].find((word) => OTHER_WORDS.get(word)?.includes(plain) === true);
}
