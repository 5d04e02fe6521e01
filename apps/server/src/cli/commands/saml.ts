import type { Command } from "commander";
import { lazily } from "../lazily";

const actions = () => import("../actions/saml");

export function addSaml(program: Command): void {
	const saml = program.command("saml").description("manage the SAML identity provider of a tenant");
	const add = (usage: string, description: string, json: string) =>
		saml
			.command(usage)
			.description(description)
			.requiredOption("--tenant <tenant>", "the tenant, by slug or id")
			.option("--json", json);
	add(
		"show",
		"show the identity provider, and what it needs to know about the tenant",
		"print them as JSON",
	).action(lazily(actions, "show"));
	add(
		"set",
		"save the metadata of the identity provider; attributes and roles stay",
		"print the connection as JSON",
	)
		.option("--metadata-url <url>", "where the metadata is loaded from, now and once a day")
		.option("--metadata-file <file>", "a file with the metadata, as XML")
		.action(lazily(actions, "set"));
	add(
		"refresh",
		"load the metadata from its URL again; the server does so once a day",
		"print the connection as JSON",
	).action(lazily(actions, "refresh"));
	add("test", "test the identity provider, without a person", "print { ok, steps } as JSON").action(
		lazily(actions, "test"),
	);
}
