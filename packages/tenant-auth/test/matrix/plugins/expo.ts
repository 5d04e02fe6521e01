import { expo } from "@better-auth/expo";
import { expect } from "vitest";
import { aboutA, type Outcome, type PluginMatrix, refused } from "./matrix";

const PROVIDER = "https://provider.example.com/authorize?state=the-state";

const goesToProvider: Outcome = ({ status, headers }) =>
	expect([status, headers.get("location")]).toEqual([302, PROVIDER]);

export const expoMatrix: PluginMatrix<object> = {
	plugin: "@better-auth/expo",
	options: () => ({ plugins: [expo()] }),
	rows: {
		expoAuthorizationProxy: [
			{
				tries: "goes to a provider, which needs no tenant",
				call: () => ({
					path: "/expo-authorization-proxy",
					query: { authorizationURL: PROVIDER },
				}),
				by: "anyone",
				ofHost: true,
				gets: goesToProvider,
				own: goesToProvider,
			},
		],
	},
	core: {
		signInEmail: [
			{
				tries: "signs in with A's password from an app",
				call: ({ a }) => ({
					path: "/sign-in/email",
					body: { email: a.email, password: a.password },
					headers: { "expo-origin": "http://localhost:3000" },
				}),
				by: "anyone",
				gets: refused(401, "INVALID_EMAIL_OR_PASSWORD"),
				own: aboutA,
			},
		],
	},
};
