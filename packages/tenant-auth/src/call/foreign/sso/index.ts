import type { EndpointRules } from "../endpoint-rules";
import type { ForeignPlugin } from "../foreign-plugin";
import { samlMessages } from "./saml-messages";

const callback: EndpointRules = {
	tenantFrom: "oauth-state",
	sharesCodes: true,
	signIn: "sso",
	endsSignIn: true,
};

export const sso = {
	id: "sso",
	signInMethod: "sso",
	accountProviders: "ssoProvider",
	paths: {
		"/sign-in/sso": { startsFlow: true, signIn: "sso" },
		"/sso/callback/:providerId": { ...callback, startsFlow: true },
		"/sso/callback": callback,
		"/sso/saml2/sp/metadata": { tenantInQuery: true },
		"/sso/saml2/sp/acs/:providerId": {
			signIn: "sso",
			endsSignIn: true,
			messages: samlMessages({ requests: "saml-authn-request:", hasState: true }),
			tenantInQuery: true,
		},
		"/sso/saml2/sp/slo/:providerId": {
			messages: samlMessages({ requests: "saml-logout-request:", hasState: false }),
			tenantInQuery: true,
		},
	},
} satisfies ForeignPlugin;
