/** Objects that a command line names, and that are not there: each ends with one line that says which are. */
import { testEndings } from './endings.ts';

testEndings([
  {
    name: 'a misspelt kind to delete',
    args: ['simulate', 'examples/aws', '--delete', 'Nodepol/prod-general@5m'],
    code: 2,
    line: 'slipway: cannot accept --delete "Nodepol/prod-general@5m": accepted: Cluster, NodePool, Machine; did you mean "NodePool"?',
  },
  {
    name: 'a misspelt kind to delete, of plan',
    args: ['plan', '--delete', 'clustre/prod'],
    code: 2,
    line: 'slipway: cannot accept --delete "clustre/prod": accepted: Cluster, NodePool; did you mean "Cluster"?',
  },
  {
    name: 'a missing file to delete',
    args: ['plan', '--delete', 'nowhere.yaml'],
    code: 2,
    line: 'slipway: cannot read "nowhere.yaml": no such file or folder',
  },
  {
    name: 'an object to delete that no claim is or composes',
    args: ['simulate', 'examples/aws', '--delete', 'Machine/nobody@5m'],
    code: 2,
    line: 'slipway: cannot find Machine "nobody": accepted: prod-general-…, prod-memory-…, prod-control-plane-…',
  },
  {
    name: 'an object to delete, of a namespace that has none',
    args: ['simulate', 'examples/aws', '--delete', 'cl/team-x/prod@5m'],
    code: 2,
    line: 'slipway: cannot find Cluster "team-x/prod": there is no Cluster in namespace "team-x"; accepted namespaces: team-a',
  },
  {
    name: 'an object to show, of a namespace that has none',
    args: ['describe', 'cluster', 'prod', '-n', 'team-x', 'examples/aws'],
    code: 2,
    line: 'slipway: cannot find Cluster "team-x/prod": there is no Cluster in namespace "team-x"; accepted namespaces: team-a',
  },
  {
    name: 'an object in two namespaces',
    args: ['describe', 'cluster/team-a/prod', '-n', 'team-x', 'examples/aws'],
    code: 2,
    line: 'slipway: cannot describe "cluster/team-a/prod": --namespace is "team-x"; accepted: one namespace',
  },
  {
    name: 'a kind without a name',
    args: ['describe', 'clusters'],
    code: 2,
    line: 'slipway: cannot describe clusters: no name given; accepted: KIND NAME, KIND/NAME or KIND/NAMESPACE/NAME',
  },
  {
    name: 'a machine that is no Machine',
    args: ['payload', 'examples/aws', '--machine', 'np/prod-general'],
    code: 2,
    line: 'slipway: cannot accept --machine "np/prod-general": accepted: Machine',
  },
  {
    name: 'an object to delete, in two words',
    args: ['plan', '--delete', 'cluster', 'shop'],
    code: 2,
    line: 'slipway: cannot accept --delete "cluster": no name given; accepted: Cluster/shop, as one word',
  },
  {
    name: 'a kind to delete, before a file',
    args: ['plan', '--delete', 'np', 'examples/aws'],
    code: 2,
    line: 'slipway: cannot accept --delete "np": no name given; accepted: NodePool/NAME or NodePool/NAMESPACE/NAME',
  },
  {
    name: 'a kind to delete, in a simulation',
    args: ['simulate', 'examples/aws', '--delete', 'cluster'],
    code: 2,
    line: 'slipway: cannot accept --delete "cluster": accepted: Cluster/NAME@TIME such as Cluster/prod@10m',
  },
  {
    name: 'the name of a claim without its kind',
    args: ['describe', 'prod', 'examples/aws'],
    code: 2,
    line: 'slipway: cannot describe "prod": no kind given; accepted: Cluster/prod',
  },
  {
    name: 'the misspelt name of a claim without its kind',
    args: ['describe', 'prod-genral', '-f', 'examples/aws'],
    code: 2,
    line: 'slipway: cannot describe "prod-genral": no kind given; accepted: NodePool/prod-general',
  },
  {
    name: 'a name without a kind, of a live cluster, which is not read for it',
    args: ['describe', 'shop', '--context', 'management'],
    code: 2,
    line: 'slipway: cannot describe "shop": accepted: Cluster, NodePool, Machine, then a name, such as cluster shop',
  },
  {
    name: 'an unknown object, before anything is simulated',
    args: ['describe', 'cluster', 'prud', 'examples/aws'],
    code: 2,
    line: 'slipway: cannot find Cluster "prud": accepted: prod',
  },
  {
    name: 'a machine of no pool, before anything is simulated',
    args: ['describe', 'machine', 'prud-0', 'examples/aws'],
    code: 2,
    line: 'slipway: cannot find Machine "prud-0": accepted: prod-general-…, prod-memory-…, prod-control-plane-…',
  },
  {
    name: 'an unknown machine',
    args: ['payload', 'examples/aws', '--machine', 'nobody', '--for', '2m'],
    code: 2,
    line: /cannot find the first-boot data of Machine "nobody"/,
  },
  {
    name: 'an unknown kind',
    args: ['describe', 'pod', 'x', 'examples/aws'],
    code: 2,
    line: 'slipway: cannot describe "pod": accepted: Cluster, NodePool, Machine',
  },
]);
