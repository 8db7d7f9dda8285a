"""Starts moto as AWS, with what this version of it lacks and the provider needs. Arguments are those of moto_server."""

import sys

from moto.ec2.models import flow_logs, security_groups
from moto.elbv2 import models as balancing
from moto.server import main

WITH_PORTS = ("tcp", "udp", "6", "17")
# Attributes of target groups: what only application load balancers have, and what all or network ones have besides.
OF_APPLICATIONS = ("load_balancing.algorithm.type", "slow_start.duration_seconds", "waf.fail_open.enabled")
OF_ALL = {
    f"target_group_health.{what}.minimum_healthy_targets.{unit}": least
    for what in ("dns_failover", "unhealthy_state_routing")
    for unit, least in (("count", "1"), ("percentage", "off"))
}
OF_NETWORKS = {
    "deregistration_delay.connection_termination.enabled": "false",
    "preserve_client_ip.enabled": "true",
    "proxy_protocol_v2.enabled": "false",
    "target_health_state.unhealthy.connection_termination.enabled": "true",
    "target_health_state.unhealthy.draining_interval_seconds": "0",
}


def target_groups_have_attributes():
    plain = balancing.FakeTargetGroup.__init__

    def made(self, *given, **named):
        plain(self, *given, **named)
        self.attributes.update(OF_ALL)
        if self.protocol in ("TCP", "UDP", "TCP_UDP"):
            for name in OF_APPLICATIONS:
                self.attributes.pop(name, None)
            for name, value in OF_NETWORKS.items():
                self.attributes.setdefault(name, value)

    balancing.FakeTargetGroup.__init__ = made


def network_load_balancers_have_their_arn():
    plain = balancing.ELBv2Backend.create_load_balancer
    arn_of = balancing.make_arn_for_load_balancer

    def create(self, *given, **named):
        kind = named.get("loadbalancer_type") or "application"
        if kind == "network":
            balancing.make_arn_for_load_balancer = lambda **parts: arn_of(**parts).replace(":loadbalancer/app/", ":loadbalancer/net/")
        try:
            return plain(self, *given, **named)
        finally:
            balancing.make_arn_for_load_balancer = arn_of

    balancing.ELBv2Backend.create_load_balancer = create


def protocols_by_number_have_no_ports():
    rule = security_groups.SecurityGroupRule
    backend = security_groups.SecurityGroupBackend
    plain_rule, plain_change = rule.__init__, backend.modify_security_group_rules

    def made(self, ec2_backend, ip_protocol, group_id, from_port, to_port, *given, **named):
        ports = [0 if port is None else port for port in (from_port, to_port)]
        plain_rule(self, ec2_backend, ip_protocol, group_id, *ports, *given, **named)
        if from_port is None:
            self.from_port = None
        if to_port is None:
            self.to_port = None

    def changed(self, group_id, rules):
        ports = {"FromPort": -1, "ToPort": -1}
        with_ports = {
            name: wanted if wanted.get("IpProtocol") in WITH_PORTS else {**ports, **wanted}
            for name, wanted in rules.items()
        }
        return plain_change(self, group_id, with_ports)

    rule.__init__, backend.modify_security_group_rules = made, changed


def rules_from_a_group_have_a_description():
    def description(self):
        return self.ip_range.get("Description") or self.source_group.get("Description")

    security_groups.SecurityGroupRule.description = property(description)


def flow_logs_may_be_in_a_folder_of_a_bucket():
    backend = flow_logs.FlowLogsBackend
    plain = backend.create_flow_logs

    def create(self, *given, **named):
        destination = named.get("log_destination")
        if named.get("log_destination_type") != "s3" or not destination:
            return plain(self, *given, **named)
        made, refused = plain(self, *given, **{**named, "log_destination": destination.split("/")[0]})
        for flow_log in made:
            flow_log.log_destination = destination
        return made, refused

    backend.create_flow_logs = create


target_groups_have_attributes()
flow_logs_may_be_in_a_folder_of_a_bucket()
network_load_balancers_have_their_arn()
protocols_by_number_have_no_ports()
rules_from_a_group_have_a_description()
main(sys.argv[1:])
