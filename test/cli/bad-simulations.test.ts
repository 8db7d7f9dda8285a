/** Times, changes and faults of a simulation that cannot be: each ends with one line that says what is accepted. */
import { testEndings } from './endings.ts';

testEndings([
  {
    name: 'an edit without a time',
    args: ['simulate', 'examples/aws', '--apply', 'a.yaml'],
    code: 2,
    line: /cannot accept --apply "a.yaml": accepted: FILE@TIME/,
  },
  {
    name: 'an unknown fault',
    args: ['simulate', 'examples/aws', '--fail', 'everything=1'],
    code: 2,
    line: /cannot accept --fail "everything=1": accepted: rate-limits=SHARE/,
  },
  {
    name: 'a zone without a name',
    args: ['simulate', 'examples/aws', '--fail', 'no-capacity=@3m'],
    code: 2,
    line: /cannot accept --fail "no-capacity=@3m": accepted: ZONE\[\/INSTANCE-TYPE\]\[@END\], .* such as eu-west-1a\/m6i.xlarge@30m/,
  },
  {
    name: 'a shortage that ends as it begins',
    args: ['simulate', 'examples/aws', '--fail', 'no-capacity=eu-west-1a@0m'],
    code: 2,
    line: /cannot accept --fail "no-capacity=eu-west-1a@0m": the shortage would end as it begins; accepted: a later end such as @30m, or none/,
  },
  {
    name: 'a change after the end',
    args: ['simulate', 'examples/aws', '--apply', 'examples/aws/edits/label.yaml@3h'],
    code: 2,
    line: 'slipway: cannot accept --apply "examples/aws/edits/label.yaml@3h": the simulation ends after 2h00m; accepted: an earlier time, or a longer --for',
  },
  {
    name: 'a deletion after the end, as it was typed',
    args: ['simulate', 'examples/aws', '--delete', 'cl/prod@99h'],
    code: 2,
    line: 'slipway: cannot accept --delete "cl/prod@99h": the simulation ends after 2h00m; accepted: an earlier time, or a longer --for',
  },
  {
    name: 'a zone that no cluster has',
    args: ['simulate', 'examples/aws', '--fail', 'no-capacity=eu-west-1x@30m', '-o', 'json'],
    code: 2,
    line: /^ +1s /,
    last: 'slipway: cannot accept --fail "no-capacity=eu-west-1x": no cluster has this zone; accepted: eu-west-1a, eu-west-1b, eu-west-1c',
  },
  {
    name: 'a size that the cloud of the zone cannot have',
    args: ['simulate', 'examples/aws', '--fail', 'no-capacity=eu-west-1a/m6i.xlagre@30m', '-o', 'json'],
    code: 2,
    line: /^ +1s /,
    last: 'slipway: cannot accept --fail "no-capacity=eu-west-1a/m6i.xlagre": accepted: an instance type of AWS such as m6i.xlarge',
  },
  {
    name: 'more than a zone',
    args: ['simulate', 'examples/aws', '--fail', 'no-capacity=eu-west-1a=1'],
    code: 2,
    line: /cannot accept --fail "no-capacity=eu-west-1a=1": accepted: ZONE/,
  },
  {
    name: 'a time of a fault that is none: the whole option is named',
    args: ['simulate', 'examples/aws', '--fail', 'provider-restart=soon'],
    code: 2,
    line: 'slipway: cannot accept --fail "provider-restart=soon": accepted: a duration such as 90s, 5m or 1h',
  },
  {
    name: 'the deletion of a Cluster that has pools: which, before what Kubernetes says',
    args: ['simulate', 'examples/aws', '--delete', 'Cluster/prod@9m', '-o', 'json'],
    code: 1,
    line: /^ +1s /,
    last: /cannot delete Cluster "team-a\/prod" after 9m00s: NodePool "prod-general" \(3 machines\), "prod-memory" \(2 machines\) belong to it; delete them first\n {2}what kubectl would print: This resource is in-use by /,
  },
  ...['0m', '0s', '0h0m0s'].map((time) => ({
    name: `no time at all: ${time}`,
    args: ['simulate', 'examples/aws', '--for', time],
    code: 2,
    line: `slipway: cannot accept --for "${time}": nothing happens in no time; accepted: a duration such as 90s, 5m or 1h`,
  })),
  ...['5', '1.5h', '-5m', '1H', '1d', '', ' 5m', '5 m'].map((time) => ({
    name: `a time without a unit, or of another form: "${time}"`,
    args: ['simulate', 'examples/aws', '--for', time],
    code: 2,
    line: `slipway: cannot accept --for "${time}": accepted: a duration such as 90s, 5m or 1h`,
  })),
  ...['721h', '99999999h', '43201m'].map((time) => ({
    name: `more time than anybody waits for: ${time}`,
    args: ['simulate', 'examples/aws', '--for', time],
    code: 2,
    line: `slipway: cannot accept --for "${time}": accepted: at most 720h, of simulated time`,
  })),
]);
