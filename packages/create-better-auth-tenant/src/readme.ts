import { type DatabaseKind, databaseName } from "./databases";
import type { FrameworkKind } from "./frameworks";

/** Makes the README of an app from that of its template, which is an example in a repository. */
export function readmeOf(
	template: string,
	name: string,
	{ hasBuild }: FrameworkKind,
	{ server, migrations }: DatabaseKind,
): string {
	const own = template
		.replace(/^# .*$/m, `# ${name}`)
		.replace(/^npm run example .*\n/m, "")
		.replace(/^npm install && npm start.*$/m, "npm install\nnpm start")
		.trimEnd();
	const database = server
		? `

## Database

\`DATABASE_URL\` in \`.env\` is the URL of your ${server.label} server. Create the database before the first start:

\`\`\`sql
${server.create(databaseName(name))};
\`\`\`${migrations ? `\n\n${migrations}` : ""}`
		: "";
	const variables = server ? "`BETTER_AUTH_SECRET` and `DATABASE_URL`" : "`BETTER_AUTH_SECRET`";
	const build = hasBuild ? "`npm run build` and " : "";
	return `${own}${database}

## Next steps

- \`npm start\` is for development: it calls \`npm run migrate\`, which creates the tables, and \`npm run first-tenants\`, which creates two tenants in an empty database. Create your own tenants from a page of your app, with \`auth.api.createTenant\`.
- \`src/options.ts\` has the options of Better Auth. Users cannot reset a password until you send emails: see [emails](node_modules/better-auth-tenant/docs/emails.md).
- \`package.json\` has the version of Better Auth that the templates were tested with. \`npm install better-auth@1.7 @better-auth/core@1.7\` installs the newest one that better-auth-tenant supports.
- In production, set ${variables} in the environment, and \`DOMAIN\` to the domain whose subdomains are the tenants. Run \`npm run migrate\` before each new version of the app, then ${build}\`npm run serve\`. Git ignores \`.env\`: a new clone gets another secret.
`;
}
