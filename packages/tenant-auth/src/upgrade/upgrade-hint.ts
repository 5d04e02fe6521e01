export const UPGRADE_HINT =
	'Remove it with "npx better-auth-tenant upgrade --config <your auth file>"; with --dry-run it prints what it would do.';
