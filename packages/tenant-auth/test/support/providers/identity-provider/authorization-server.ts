import { randomUUID } from "node:crypto";
import Provider, { type Adapter, type JWK, type KoaContextWithOIDC } from "oidc-provider";
import type { Dialect } from "./dialect";
import { pagesPath } from "./pages";
import { makePerson, type Person } from "./person";

export interface AuthorizationServerSettings {
	dialect: Dialect;
	issuer: string;
	signingKey: JWK;
	people: readonly Person[];
	storage: (model: string) => Adapter;
}

/** Claims that a test may give a person besides those of the dialect. */
const extraClaims = ["hd", "verified_primary_email", "verified_secondary_email", "xms_edov"];

/** `oidc-provider`, configured for a dialect. */
export function makeAuthorizationServer(settings: AuthorizationServerSettings): Provider {
	const { dialect, issuer, signingKey, people, storage } = settings;
	const find = (sub: string | undefined) => people.find((person) => person.sub === sub);
	const sample = makePerson({ email: "sample@example.com" });
	const server = new Provider(issuer, {
		adapter: storage,
		jwks: { keys: [signingKey] },
		cookies: { keys: [randomUUID()] },
		routes: dialect.routes,
		scopes: ["openid", ...dialect.scopes],
		claims: { openid: ["sub", ...Object.keys(dialect.claims(sample)), ...extraClaims] },
		// These brands put the profile into the id token, also if they return an access token.
		conformIdTokenClaims: false,
		responseTypes: ["code", ...(dialect.responseTypes ?? [])],
		pkce: { required: () => false },
		ttl: {
			AccessToken: 3600,
			AuthorizationCode: 60,
			Grant: 86_400,
			IdToken: 3600,
			Interaction: 600,
			RefreshToken: 86_400,
			Session: 86_400,
		},
		features: { devInteractions: { enabled: false } },
		interactions: { url: (_ctx, interaction) => `${pagesPath}${interaction.uid}` },
		issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed("refresh_token"),
		findAccount(_ctx, sub) {
			const person = find(sub);
			if (!person) return undefined;
			return { accountId: sub, claims: async () => ({ sub, ...dialect.claims(person) }) };
		},
		renderError(ctx, out) {
			ctx.type = "text/plain";
			ctx.body = `${out.error}: ${out.error_description}`;
		},
	});
	server.use(async (ctx: KoaContextWithOIDC, next) => {
		await next();
		if (dialect.tokenErrorsAreOk && ctx.path === dialect.routes.token && ctx.status >= 400) {
			ctx.status = 200;
		}
		const person = find(ctx.oidc?.session?.accountId);
		if (person && dialect.formFields && typeof ctx.body === "string") {
			ctx.body = withFields(ctx.body, dialect.formFields(person));
		}
	});
	return server;
}

function withFields(page: string, fields: Record<string, string>): string {
	const inputs = Object.entries(fields).map(([name, value]) => {
		const escaped = value.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
		return `<input type="hidden" name="${name}" value="${escaped}"/>`;
	});
	return page.replace("</form>", `${inputs.join("")}</form>`);
}
