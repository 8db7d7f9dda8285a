/** What people call fields of `spec.bootstrap.config` with provider nodeadm. */
import { kubeletFields, otherNames } from '../other-names.ts';

export const OTHER_NAMES = otherNames({
  ...kubeletFields('kubelet.config'),
  'kubelet.config': 'kubeletConfiguration kubelet.extraConfig',
  'kubelet.flags': 'kubeletExtraArgs kubelet.extraArgs kubelet.args nodeRegistration',
});
