/**
 * What the cloud told the machine, on hosts without cloud-init: asked of EC2's metadata service, version 2. Flatcar and
 * Fedora CoreOS keep it below /run/metadata, too, but under names that differ; every one of them has curl.
 */
import type { Lookup } from '../script.ts';

export const METADATA: Lookup = {
  commands: { instanceId: 'metadata instance-id', failureDomain: 'metadata placement/availability-zone' },
  functions: `
metadata() {
  service=http://169.254.169.254/latest
  token="$(curl -fsS --retry 10 --retry-connrefused -X PUT -H 'X-aws-ec2-metadata-token-ttl-seconds: 300' "$service/api/token")" || return
  curl -fsS --retry 10 --retry-connrefused -H "X-aws-ec2-metadata-token: $token" "$service/meta-data/$1"
}
`,
};
