/**
 * Keys of config.yaml that k3s and RKE2 share. Both only warn about unknown keys, so the accepted keys are listed here,
 * by scope: all servers alike, each server, or every node.
 */
import { z } from 'zod';
import { line } from '#lib/api/fields/text.ts';

export const list = (about: string) => z.array(line().min(1)).optional().describe(about);
export const text = (about: string) => line().min(1).optional().describe(about);
export const flag = (about: string) => z.boolean().optional().describe(about);
export const count = (about: string) => z.int().min(0).optional().describe(about);

/** Keys of the whole cluster: a server with other values cannot join. */
export const CLUSTER_KEYS = {
  'cluster-dns': list('Address of the DNS Service.'),
  disable: list('Packaged components that are not deployed.'),
  'disable-kube-proxy': flag('Disables kube-proxy.'),
  'egress-selector-mode': z
    .enum(['agent', 'cluster', 'pod', 'disabled'])
    .optional()
    .describe('How the Kubernetes API reaches nodes and pods.'),
  'embedded-registry': flag('Whether nodes share images with each other.'),
  'secrets-encryption-provider': z.enum(['aescbc', 'secretbox']).optional().describe('Cipher of stored Secrets.'),
  'service-node-port-range': text('Ports of NodePort Services.'),
};

/** Keys of servers; agents do not support them. */
export const SERVER_KEYS = {
  'etcd-arg': list('Flags of etcd.'),
  'etcd-disable-snapshots': flag('Disables scheduled snapshots.'),
  'etcd-expose-metrics': flag('Whether the metrics of etcd are reachable from outside the machine.'),
  'etcd-s3': flag('Whether snapshots go to S3.'),
  'etcd-s3-bucket': text('Bucket of snapshots.'),
  'etcd-s3-bucket-lookup-type': z.enum(['auto', 'dns', 'path']).optional().describe('How the bucket is addressed.'),
  'etcd-s3-config-secret': text('Secret in kube-system with the S3 settings and credentials.'),
  'etcd-s3-endpoint': text('Endpoint of S3.'),
  'etcd-s3-endpoint-ca': text('File with the certificate authority of the S3 endpoint.'),
  'etcd-s3-folder': text('Folder in the bucket.'),
  'etcd-s3-insecure': flag('Whether S3 is called over http.'),
  'etcd-s3-proxy': text('Proxy for S3.'),
  'etcd-s3-region': text('Region of the bucket.'),
  'etcd-s3-retention': count('Snapshots kept in the bucket.'),
  'etcd-s3-skip-ssl-verify': flag('Disables verification of the certificate of the S3 endpoint.'),
  'etcd-s3-timeout': text('Timeout of S3 requests.'),
  'etcd-snapshot-compress': flag('Whether snapshots are compressed.'),
  'etcd-snapshot-dir': text('Folder of snapshots.'),
  'etcd-snapshot-name': text('Name prefix of snapshots.'),
  'etcd-snapshot-retention': count('Snapshots kept on the machine.'),
  'etcd-snapshot-schedule-cron': text('When snapshots are taken.'),
  'helm-job-image': text('Image of jobs that install charts.'),
  'kube-apiserver-arg': list('Flags of kube-apiserver.'),
  'kube-cloud-controller-manager-arg': list('Flags of the built-in cloud controller manager.'),
  'kube-controller-manager-arg': list('Flags of kube-controller-manager.'),
  'kube-scheduler-arg': list('Flags of kube-scheduler.'),
  'supervisor-metrics': flag('Whether the metrics of the supervisor are enabled.'),
  'system-default-registry': text('Registry for images of the packaged components.'),
  'tls-san': list('Additional names and addresses of the Kubernetes API; its endpoint is always included.'),
  'tls-san-security': flag('Whether the certificate of the API is limited to these names.'),
  'write-kubeconfig': text('Path of the administrator’s kubeconfig.'),
  'write-kubeconfig-group': text('Group of that file.'),
  'write-kubeconfig-mode': text('Mode of that file.'),
};

/** Keys of every node. */
export const NODE_KEYS = {
  'container-runtime-endpoint': text('Socket of a container runtime in the image.'),
  debug: flag('Enables debug logs.'),
  'default-runtime': text('Default runtime of containerd.'),
  'disable-default-registry-endpoint': flag('Disables the fallback to the registry itself when it has mirrors.'),
  'image-credential-provider-bin-dir': text('Folder of credential providers.'),
  'image-credential-provider-config': text('File that configures them.'),
  'kube-proxy-arg': list('Flags of kube-proxy.'),
  'kubelet-arg': list('Flags of the kubelet.'),
  'nonroot-devices': flag('Whether containers that do not run as root may use devices.'),
  'pause-image': text('Image of the pod sandbox.'),
  'protect-kernel-defaults': flag('Whether kernel settings that differ from those the kubelet expects are an error.'),
  'resolv-conf': text('resolv.conf of the kubelet.'),
  selinux: flag('Whether containerd uses SELinux.'),
  snapshotter: text('Snapshotter of containerd.'),
  v: count('Log level.'),
  vmodule: text('Log level by file.'),
};
