import type { Backend } from "../auth";

/** The ways to sign in that need a plugin. The plugin has the same id. */
const PLUGIN_METHODS = [
	"magic-link",
	"email-otp",
	"phone-number",
	"passkey",
	"sso",
	"siwe",
	"anonymous",
];

/** What a tenant's policy can choose from, and which rules of the service hold in any case. */
export async function policyLimits({ auth }: Pick<Backend, "auth">) {
	const { options, password, sessionConfig } = await auth.$context;
	const plugins = new Set((options.plugins ?? []).map(({ id }): string => id));
	return {
		methods: ["password", "social", ...PLUGIN_METHODS.filter((id) => plugins.has(id))],
		minPasswordLength: password.config.minPasswordLength,
		maxPasswordLength: password.config.maxPasswordLength,
		sessionLifetime: sessionConfig.expiresIn,
		secondFactor: plugins.has("two-factor"),
	};
}
