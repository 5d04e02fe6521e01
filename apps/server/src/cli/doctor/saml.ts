import type { Auth } from "../../auth";
import { type InspectedProvider, inspectProviders } from "../../saml/certificate-states";
import { count } from "../output";
import { type CheckResult, type Finding, resultOf } from "./check-result";

/** Further tenants are only counted. */
const MAX_LISTED = 20;

/** Certificates of tenants that end soon, and metadata that nobody can use any more. It connects to nothing. */
export async function checkSaml(auth: Auth): Promise<CheckResult> {
	const found: Finding[] = [];
	let total = 0;
	for await (const provider of inspectProviders((await auth.$context).adapter)) {
		total += 1;
		found.push(...findingsOf(provider));
	}
	const rest = found.length - MAX_LISTED;
	const findings = found.slice(0, MAX_LISTED);
	if (rest > 0) {
		findings.push({
			problem: `${count(rest, "more problem")} of SAML identity providers.`,
			remedy: "Solve these first, and run doctor again.",
		});
	}
	return resultOf("saml", findings, `${count(total, "identity provider")} can be used`);
}

function findingsOf({ slug, state, expiresAt, metadataUrl, problem }: InspectedProvider) {
	const findings: Finding[] = [];
	const date = expiresAt?.toISOString().slice(0, 10);
	if (state === "unreadable") {
		findings.push({
			problem: `The SAML identity provider of ${slug} cannot be read, so nobody can sign in with it.`,
			remedy: `Save its metadata again: tenant-auth saml set --tenant ${slug}. Then set attributes and roles in the console.`,
		});
	}
	if (state === "expired" || state === "expiring") {
		findings.push({
			problem: `The SAML certificate of ${slug} ${state === "expired" ? "expired" : "expires"} on ${date}.`,
			remedy: metadataUrl
				? `Let the company publish a new one at its metadata URL, and run: tenant-auth saml refresh --tenant ${slug}`
				: `Ask the company for new metadata, and save it: tenant-auth saml set --tenant ${slug}`,
		});
	}
	if (problem) {
		findings.push({
			problem: `The SAML metadata of ${slug} has not been loaded since ${problem.since.toISOString().slice(0, 10)}: ${problem.message}.`,
			remedy: `New certificates do not arrive. See what is wrong: tenant-auth saml test --tenant ${slug}`,
		});
	}
	return findings;
}
