import type { Command } from "commander";
import { MAX_OVERLAP_HOURS } from "../../openid-provider/applications/secret-overlap";
import { lazily } from "../lazily";
import { collect } from "../option-values";
import { wrongUsage } from "../output";

const actions = () => import("../actions/application");

export function addApplication(program: Command): void {
	const application = program
		.command("application")
		.description("manage the applications of a tenant or, without --tenant, of all tenants");
	const add = (usage: string, description: string, json: string) =>
		application
			.command(usage)
			.description(description)
			.option("--tenant <tenant>", "the tenant, by slug or id (default: a service-wide one)")
			.option("--json", json);
	withSettings(
		add("create <name>", "register an application and print its secret", "print it as JSON").option(
			"--type <type>",
			"web, spa, native or machine",
			"web",
		),
	).action(lazily(actions, "create"));
	withSettings(
		add("update <client-id>", "change an application; what is left out stays", "print it as JSON"),
	)
		.option("--name <name>", "what users see on the consent page")
		.option("--no-first-party", "ask users for consent")
		.option("--no-offline-access", "end its tokens with the session")
		.option("--no-dpop", "give it tokens that are not bound to a key, unless it asks for it")
		.option("--no-device-flow", "refuse devices without a browser")
		.option("--no-backchannel-logout-uri", "send it no logout tokens")
		.option("--no-jwks", "authenticate with a secret again: rotate-secret makes one")
		.action(lazily(actions, "update"));
	add("list", "list applications, oldest first", "print them as JSON").action(
		lazily(actions, "list"),
	);
	add("show <client-id>", "show an application", "print it as JSON").action(
		lazily(actions, "show"),
	);
	add(
		"disable <client-id>",
		"refuse an application with all its tokens",
		"print it as JSON",
	).action(lazily(actions, "disable"));
	add(
		"enable <client-id>",
		"accept an application and its tokens again",
		"print it as JSON",
	).action(lazily(actions, "enable"));
	add(
		"rotate-secret <client-id>",
		"print a new secret; the old one stops at once, or after the overlap",
		"print the application as JSON",
	)
		.option("--overlap-hours <hours>", "how long the old secret works too, up to 24", readHours, 0)
		.option("--yes", "do not ask for confirmation")
		.action(lazily(actions, "rotateSecret"));
	add(
		"delete <client-id>",
		"delete an application with its tokens and consents",
		"print { deleted } as JSON",
	)
		.option("--yes", "do not ask for confirmation")
		.action(lazily(actions, "remove"));
}

/** A list replaces the one before. */
const withSettings = (command: Command): Command =>
	command
		.option(
			"--redirect-uri <uri>",
			"where users return; repeat it for several. {tenant} stands for the slug in service-wide ones",
			collect,
		)
		.option("--post-logout-redirect-uri <uri>", "where users return after a sign-out", collect)
		.option(
			"--backchannel-logout-uri <uri>",
			"where it gets a logout token when a session of a user ends",
		)
		.option("--backchannel-logout-session-required", "name the session in logout tokens (default)")
		.option("--no-backchannel-logout-session-required", "name only the user")
		.option("--allowed-origin <origin>", "an origin whose pages may call the endpoints", collect)
		.option("--scope <scope>", "what it may ask for (default: all that its type can use)", collect)
		.option("--first-party", "do not ask users for consent")
		.option("--offline-access", "let it refresh its tokens after the session has expired")
		.option("--refresh-days <days>", "how long after a sign-in it may refresh its tokens", readDays)
		.option(
			"--jwks <file>",
			"a file with public keys, with which it authenticates without a secret",
		)
		.option("--jwks-uri <uri>", "where it publishes such keys")
		.option("--access-token-minutes <minutes>", "how long its access tokens are valid", readMinutes)
		.option("--id-token-minutes <minutes>", "how long its ID tokens are valid", readMinutes)
		.option("--device-flow", "let devices without a browser use it")
		.option("--dpop", "bind its tokens to a key of it")
		.option("--claims-in-id-token", "put the claims of profile and email into ID tokens (default)")
		.option("--no-claims-in-id-token", "leave them to the user info")
		.option(
			"--claim <name=source>",
			"a claim of its own, such as department=user.metadata.department; repeat it for several",
			collect,
		)
		.option("--no-claim", "no claims of its own");

function readHours(value: string): number {
	if (/^\d+$/.test(value) && Number(value) <= MAX_OVERLAP_HOURS) return Number(value);
	throw wrongUsage(`--overlap-hours must be a number from 0 to ${MAX_OVERLAP_HOURS}`);
}

function readDays(value: string): number {
	if (/^\d+$/.test(value)) return Number(value);
	throw wrongUsage("--refresh-days must be a number of days");
}

function readMinutes(value: string): number {
	if (/^\d+$/.test(value)) return Number(value);
	throw wrongUsage("The lifetime of a token must be a number of minutes");
}
