import { useQuery } from "@tanstack/react-query";
import { callApi } from "../api/client";
import { useSettledValue } from "../ui/settled-value";
import { SAML } from "./provider-sign-in";
import { useTenant } from "./tenant-context";

/** After somebody has stopped typing. */
const SETTLED_MS = 300;

const domainOf = (email: string): string => /^\S+@(\S+\.\S{2,})$/.exec(email.trim())?.[1] ?? "";

/**
 * The providers to which the emails of this domain belong, and that users may sign in with. It depends on the
 * domain only, so it does not reveal whether there is such a user. If the service does not respond, there are
 * none, and the form asks for a password.
 */
export function useDomainProviders(email: string): string[] {
	const { client, options, hasSaml } = useTenant();
	const { tenant, providers, methods } = options;
	const allowed = hasSaml && methods.includes("sso") ? [SAML, ...providers] : providers;
	const domain = useSettledValue(domainOf(email), SETTLED_MS);
	const { data } = useQuery({
		queryKey: ["domain-providers", tenant.id, domain],
		queryFn: () =>
			callApi(
				client.$fetch<{ providers: string[] }>("/email-domain/providers", { query: { domain } }),
			),
		enabled: domain !== "" && allowed.length > 0,
		retry: false,
		staleTime: 60_000,
	});
	return (data?.providers ?? []).filter((id) => allowed.includes(id));
}
