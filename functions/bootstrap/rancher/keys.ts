/**
 * Keys of config.yaml that k3s and RKE2 share, in their own words. Both only warn of a key they do not know, so the lists are
 * kept here. They differ in whom a key is about: all servers alike, each server, or every node.
 */
import { z } from 'zod';

export const list = (about: string) => z.array(z.string().min(1)).optional().describe(about);
export const text = (about: string) => z.string().min(1).optional().describe(about);
export const flag = (about: string) => z.boolean().optional().describe(about);
export const count = (about: string) => z.int().min(0).optional().describe(about);

/** Of the whole cluster: a server that says something else is not let in. */
export const CLUSTER_KEYS = {
  'cluster-dns': list('Address of the DNS Service.'),
  disable: list('Packaged components that are not deployed.'),
  'disable-kube-proxy': flag('Whether kube-proxy is left out.'),
  'egress-selector-mode': z
    .enum(['agent', 'cluster', 'pod', 'disabled'])
    .optional()
    .describe('How the Kubernetes API reaches nodes and pods.'),
  'embedded-registry': flag('Whether nodes share images with each other.'),
  'secrets-encryption-provider': z.enum(['aescbc', 'secretbox']).optional().describe('Cipher of stored Secrets.'),
  'service-node-port-range': text('Ports of NodePort Services.'),
};

/** Of servers; agents do not know them. */
export const SERVER_KEYS = {
  'etcd-arg': list('Flags of etcd.'),
  'etcd-disable-snapshots': flag('Whether there are no snapshots by schedule.'),
  'etcd-expose-metrics': flag('Whether etcd shows metrics to others than itself.'),
  'etcd-s3': flag('Whether snapshots go to S3.'),
  'etcd-s3-bucket': text('Bucket of snapshots.'),
  'etcd-s3-bucket-lookup-type': z.enum(['auto', 'dns', 'path']).optional().describe('How the bucket is addressed.'),
  'etcd-s3-config-secret': text('Secret in kube-system that says the rest, credentials included.'),
  'etcd-s3-endpoint': text('Where S3 answers.'),
  'etcd-s3-endpoint-ca': text('File with the authority of that endpoint.'),
  'etcd-s3-folder': text('Folder in the bucket.'),
  'etcd-s3-insecure': flag('Whether S3 is called by http.'),
  'etcd-s3-proxy': text('Proxy for S3.'),
  'etcd-s3-region': text('Region of the bucket.'),
  'etcd-s3-retention': count('Snapshots kept in the bucket.'),
  'etcd-s3-skip-ssl-verify': flag('Whether the endpoint’s certificate is not looked at.'),
  'etcd-s3-timeout': text('How long S3 may take.'),
  'etcd-snapshot-compress': flag('Whether snapshots are compressed.'),
  'etcd-snapshot-dir': text('Where snapshots are.'),
  'etcd-snapshot-name': text('How names of snapshots begin.'),
  'etcd-snapshot-retention': count('Snapshots kept on the machine.'),
  'etcd-snapshot-schedule-cron': text('When snapshots are taken.'),
  'helm-job-image': text('Image of jobs that install charts.'),
  'kube-apiserver-arg': list('Flags of kube-apiserver.'),
  'kube-cloud-controller-manager-arg': list('Flags of the cloud controller manager that comes along.'),
  'kube-controller-manager-arg': list('Flags of kube-controller-manager.'),
  'kube-scheduler-arg': list('Flags of kube-scheduler.'),
  'supervisor-metrics': flag('Whether the supervisor shows its metrics.'),
  'system-default-registry': text('Registry that images of the packaged components come from.'),
  'tls-san': list('Further names and addresses of the Kubernetes API; its endpoint is always among them.'),
  'tls-san-security': flag('Whether the API’s certificate takes in no other names.'),
  'write-kubeconfig': text('Where the administrator’s kubeconfig is written.'),
  'write-kubeconfig-group': text('Whose group that file is.'),
  'write-kubeconfig-mode': text('Mode of that file.'),
};

/** Of every node. */
export const NODE_KEYS = {
  'container-runtime-endpoint': text('Socket of a container runtime that the image brings.'),
  debug: flag('Whether the log tells more.'),
  'default-runtime': text('Default runtime of containerd.'),
  'disable-default-registry-endpoint': flag('Whether a registry with mirrors is not asked itself.'),
  'image-credential-provider-bin-dir': text('Folder of credential providers.'),
  'image-credential-provider-config': text('File that configures them.'),
  'kube-proxy-arg': list('Flags of kube-proxy.'),
  'kubelet-arg': list('Flags of the kubelet.'),
  'nonroot-devices': flag('Whether containers of other users than root may use devices.'),
  'pause-image': text('Image of a pod’s sandbox.'),
  'protect-kernel-defaults': flag('Whether a kernel that is set otherwise than kubelet expects is an error.'),
  'resolv-conf': text('resolv.conf of the kubelet.'),
  selinux: flag('Whether containerd uses SELinux.'),
  snapshotter: text('Snapshotter of containerd.'),
  v: count('How much the log tells.'),
  vmodule: text('The same by file.'),
};
