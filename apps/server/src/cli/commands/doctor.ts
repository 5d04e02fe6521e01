import type { Command } from "commander";
import { lazily } from "../lazily";

const actions = () => import("../actions/doctor");

export function addDoctor(program: Command): void {
	program
		.command("doctor")
		.description(
			"check settings, database, schema and indexes, stored secrets, certificates of SAML, Redis, the SMTP server, the hosts of providers, other regions and the log collector; changes nothing",
		)
		.option(
			"--offline",
			"do not connect to the SMTP server, the hosts of providers, other regions and the log collector",
		)
		.option("--json", "print every check as JSON")
		.action(lazily(actions, "doctor"));
}
