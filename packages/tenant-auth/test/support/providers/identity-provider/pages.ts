import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type Provider from "oidc-provider";
import type { InteractionResults } from "oidc-provider";
import type { Person } from "./person";

export const pagesPath = "/interaction/";

const login = `<form method="post"><input name="login"><input name="password" type="password"></form>`;
const consent = `<form method="post"><input name="decision"></form>`;

/** The provider's own login and consent pages. */
export async function answerPage(
	provider: Provider,
	people: readonly Person[],
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	const interaction = await provider.interactionDetails(request, response);
	const page = interaction.prompt.name === "login" ? login : consent;
	if (request.method !== "POST") return show(response, 200, page);

	const form = new URLSearchParams(await text(request));
	if (interaction.prompt.name === "login") {
		const person = people.find((each) => each.email === form.get("login"));
		if (!person || person.password !== form.get("password")) return show(response, 401, page);
		return finish({ login: { accountId: person.sub } });
	}
	if (form.get("decision") !== "allow") {
		return finish({ error: "access_denied", error_description: "The user said no" });
	}
	return finish({ consent: { grantId: await grant(provider, interaction) } });

	function finish(result: InteractionResults): Promise<void> {
		return provider.interactionFinished(request, response, result, {
			mergeWithLastSubmission: !("error" in result),
		});
	}
}

type Interaction = Awaited<ReturnType<Provider["interactionDetails"]>>;

async function grant(provider: Provider, interaction: Interaction): Promise<string> {
	const { grantId, params, session, prompt } = interaction;
	const existing = grantId ? await provider.Grant.find(grantId) : undefined;
	const given =
		existing ??
		new provider.Grant({ accountId: session?.accountId, clientId: String(params.client_id) });
	const { missingOIDCScope, missingOIDCClaims } = prompt.details;
	if (Array.isArray(missingOIDCScope)) given.addOIDCScope(missingOIDCScope.join(" "));
	if (Array.isArray(missingOIDCClaims)) given.addOIDCClaims(missingOIDCClaims);
	return given.save();
}

function show(response: ServerResponse, status: number, body: string): void {
	response.writeHead(status, { "content-type": "text/html" }).end(body);
}
