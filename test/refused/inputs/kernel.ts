import type { JsonObject } from '#lib/api/json.ts';
import { host } from './input.ts';

/** Parameters and modules that no kernel has. */
export const KERNEL: Readonly<Record<string, JsonObject>> = {
  'a kernel parameter with a blank': host({ sysctls: { 'net ipv4': '1' } }),
  'a kernel parameter with an empty part': host({ sysctls: { 'net..ipv4': '1' } }),
  'a kernel parameter that ends with a dot': host({ sysctls: { 'net.ipv4.': '1' } }),
  'a kernel parameter with an equals sign': host({ sysctls: { 'vm.x=1': '1' } }),
  'a kernel parameter that is a number': host({ sysctls: { 'vm.swappiness': 1 } }),
  'a kernel parameter without a value': host({ sysctls: { 'vm.swappiness': '' } }),
  'a kernel parameter of two lines': host({ sysctls: { 'vm.swappiness': '1\n2' } }),
  'a kernel module with a path': host({ kernelModules: ['net/br_netfilter'] }),
  'a kernel module of two words': host({ kernelModules: ['a b'] }),
};
