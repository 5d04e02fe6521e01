import { type DatabaseKind, databaseName } from "./databases";
import type { FrameworkKind } from "./frameworks";

/** Makes the README of an app from that of its template, which is an example in a repository. */
export function readmeOf(
	template: string,
	name: string,
	{ address }: FrameworkKind,
	{ label, server }: DatabaseKind,
): string {
	const own = template
		.replace(/^# .*$/m, `# ${name}`)
		.replace(/^npm run example .*\n/m, "")
		.replace(/^npm install && npm start.*$/m, "npm install\nnpm start")
		.trimEnd();
	const database = server
		? `

## Database

\`DATABASE_URL\` in \`.env\` is the URL of your ${label} server. Create the database before the first start:

\`\`\`sql
${server.create(databaseName(name))};
\`\`\``
		: "";
	const variables = server ? "`BETTER_AUTH_SECRET` and `DATABASE_URL`" : "`BETTER_AUTH_SECRET`";
	return `${own}${database}

## Next steps

- \`src/set-up.ts\` creates the tables and two tenants. Create your own tenants there, or from a page of your app with \`auth.api.createTenant\`.
- \`src/auth.ts\` has the options of Better Auth. Users cannot reset a password until you send emails: see \`sendResetPassword\` in its [documents](https://better-auth.com/docs/authentication/email-password).
- In production, set ${variables} in the environment, and ${address}. Git ignores \`.env\`: a new clone gets another secret.
`;
}
