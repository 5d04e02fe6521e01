import { queryOptions, useQuery } from "@tanstack/react-query";
import { callApi } from "../api/client";
import { type TenantContextValue, useTenant } from "./tenant-context";

type Tenant = Pick<TenantContextValue, "client" | "options">;

/** The session of the signed-in user. `null` if nobody is signed in. */
export const sessionQuery = ({ client, options }: Tenant) =>
	queryOptions({
		queryKey: ["session", options.tenant.id],
		queryFn: () => callApi(client.getSession()),
	});

export const useSession = () => useQuery(sessionQuery(useTenant()));

/**
 * Whether a signed-in user still has to set up the second factor that the tenant requires. Until then,
 * the server responds as if nobody were signed in.
 */
export const missingFactorQuery = ({ client, options }: Tenant) =>
	queryOptions({
		queryKey: ["missing-factor", options.tenant.id],
		queryFn: async () => {
			const { error } = await client.tenant.current();
			return error?.code === "SECOND_FACTOR_REQUIRED";
		},
		enabled: options.secondFactorRequired,
	});
