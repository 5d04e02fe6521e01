import { useQuery } from "@tanstack/react-query";
import { authClient } from "../api/auth-client";
import { unwrap } from "../api/unwrap";

const publicClient = authClient();

export const loginOptionsKey = (slug: string) => ["login-options", slug];

const loadLoginOptions = (slug: string) =>
	unwrap(publicClient.tenant.loginOptions({ query: { slug } }));

/** What the tenant shows of itself, and which ways in it has. */
export type LoginOptions = Awaited<ReturnType<typeof loadLoginOptions>>;

export const useLoginOptions = (slug: string) =>
	useQuery({
		queryKey: loginOptionsKey(slug),
		queryFn: () => loadLoginOptions(slug),
		enabled: slug !== "",
		staleTime: 60_000,
	});
