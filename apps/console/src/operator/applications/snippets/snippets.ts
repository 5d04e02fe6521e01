import type { Application, ApplicationType } from "../../api/applications";
import { TYPES } from "../application-types";
import browser from "./browser.txt?raw";
import curl from "./curl.txt?raw";
import go from "./go.txt?raw";
import hono from "./hono.txt?raw";
import nextAuth from "./next-auth.txt?raw";
import nextCallback from "./next-callback.txt?raw";
import nextSignIn from "./next-sign-in.txt?raw";
import nextSignOut from "./next-sign-out.txt?raw";
import nginx from "./nginx.txt?raw";
import node from "./node.txt?raw";
import nodeMachine from "./node-machine.txt?raw";
import python from "./python.txt?raw";

export type SnippetFile = { name: string; text: string };

type Snippet = {
	title: string;
	/** What to know before it works. */
	note?: string;
	files: SnippetFile[];
};

type Values = { ISSUER: string; CLIENT_ID: string; CLIENT_SECRET: string; REDIRECT_URI: string };

/** Nobody can read the stored secret. */
const SECRET = "the-client-secret";

const EXAMPLE_REDIRECT_URI = "http://localhost:4000/callback";

/** The code for an application of this type, with its issuer and its client ID. */
export function snippetsFor(
	{ clientId, type, redirectUris }: Pick<Application, "clientId" | "type" | "redirectUris">,
	issuer: string,
): Snippet[] {
	const values: Values = {
		ISSUER: issuer,
		CLIENT_ID: clientId,
		CLIENT_SECRET: SECRET,
		REDIRECT_URI: redirectUris[0] ?? EXAMPLE_REDIRECT_URI,
	};
	return SNIPPETS[type](values);
}

const SNIPPETS: Record<ApplicationType, (values: Values) => Snippet[]> = {
	web: (values) => {
		const env = environment("web", values);
		const envWithSession = environment("web", values, { SESSION_SECRET: sessionSecret() });
		return [
			{
				title: "Node",
				files: [
					env,
					terminal("npm install openid-client\nnode --env-file=.env app.mjs"),
					{ name: "app.mjs", text: node },
				],
			},
			{
				title: "Next.js",
				files: [
					envWithSession,
					terminal("npm install openid-client jose"),
					{ name: "auth.js", text: nextAuth },
					{ name: "app/sign-in/route.js", text: nextSignIn },
					{ name: `app${pathOf(values.REDIRECT_URI)}/route.js`, text: nextCallback },
					{ name: "app/sign-out/route.js", text: nextSignOut },
				],
			},
			{
				title: "Hono",
				files: [
					envWithSession,
					terminal(
						"npm install hono @hono/node-server openid-client jose\nnode --env-file=.env app.mjs",
					),
					{ name: "app.mjs", text: hono },
				],
			},
			{
				title: "Go",
				files: [
					env,
					terminal(
						"go mod init app\ngo get github.com/coreos/go-oidc/v3/oidc golang.org/x/oauth2\nset -a; . ./.env; go run .",
					),
					{ name: "main.go", text: go },
				],
			},
			{
				title: "Python",
				files: [
					envWithSession,
					terminal(
						"pip install flask authlib requests\nset -a; . ./.env; flask --app app run --port 4000",
					),
					{ name: "app.py", text: python },
				],
			},
			gateway(values),
		];
	},
	spa: (values) => [
		{
			title: "Browser",
			files: [
				terminal("npm install openid-client"),
				{ name: "sign-in.js", text: fill(browser, values) },
			],
		},
		gateway(values),
	],
	native: (values) => [
		{
			title: "iOS, Android, Electron",
			note: "Use a library for OpenID Connect, such as AppAuth, with these values. It must use PKCE, and the browser of the device instead of a page inside the app.",
			files: [environment("native", values)],
		},
		gateway(values),
	],
	machine: (values) => [
		{ title: "curl", files: [{ name: "Terminal", text: fill(curl, values) }] },
		{
			title: "Node",
			files: [
				environment("machine", values),
				terminal("npm install openid-client\nnode --env-file=.env token.mjs"),
				{ name: "token.mjs", text: nodeMachine },
			],
		},
	],
};

const gateway = (values: Values): Snippet => ({
	title: "nginx, in front of your API",
	note: "nginx asks the service about the access token of each request, so your API needs no code. It accepts tokens with the scope openid, of any application of this tenant.",
	files: [{ name: "nginx.conf", text: fill(nginx, values) }],
});

const pathOf = (uri: string): string => decodeURI(new URL(uri).pathname).replace(/\/$/, "");

/** It signs the sessions of the app, so each copy gets its own. */
function sessionSecret(): string {
	const bytes = crypto.getRandomValues(new Uint8Array(32));
	return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const terminal = (text: string): SnippetFile => ({ name: "Terminal", text: `${text}\n` });

function environment(
	type: ApplicationType,
	{ ISSUER, CLIENT_ID, CLIENT_SECRET, REDIRECT_URI }: Values,
	more: Record<string, string> = {},
): SnippetFile {
	const { hasSecret, hasUsers } = TYPES[type];
	const lines = {
		ISSUER,
		CLIENT_ID,
		...(hasSecret ? { CLIENT_SECRET } : {}),
		...(hasUsers ? { REDIRECT_URI } : {}),
		...more,
	};
	const text = Object.entries(lines).map(([name, value]) => `${name}=${value}\n`);
	return { name: ".env", text: text.join("") };
}

/** The values are URLs and generated ids, without quotes. */
const fill = (text: string, values: Values): string =>
	text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: keyof Values) => values[name]);
