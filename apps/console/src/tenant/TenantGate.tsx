import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useLayoutEffect, useMemo } from "react";
import { createApiClient, hasCode } from "../api/client";
import { applyAccent } from "../design/accent";
import { Button } from "../ui/Button";
import { LoadingPage, UnbrandedPage } from "./layout";
import { loginOptionsQuery } from "./queries";
import { type PageLocation, TenantContext, type TenantContextValue } from "./tenant-context";

type TenantGateProps = { location: PageLocation; children: ReactNode };

/** Shows nothing about any tenant until the login options of this one have loaded. */
export function TenantGate({ location, children }: TenantGateProps) {
	const { data: options, error, refetch } = useQuery(loginOptionsQuery(location.slug));

	// In a layout effect, so that the first paint has the right color.
	useLayoutEffect(() => applyAccent(options?.branding.primaryColor), [options]);

	const value = useMemo<TenantContextValue | null>(
		() =>
			options
				? {
						options,
						client: createApiClient({ tenant: options.tenant.id, followRedirects: true }),
						pageUrl: (path) => `${location.base}/${path}`,
					}
				: null,
		[options, location],
	);

	if (location.slug === "" || hasCode(error, "TENANT_NOT_FOUND")) {
		return (
			<UnbrandedPage title="Organization not found">
				No organization uses this URL. Check the link, or ask the person who sent it to you.
			</UnbrandedPage>
		);
	}
	if (hasCode(error, "TENANT_SUSPENDED")) {
		return (
			<UnbrandedPage title="Organization suspended">
				Nobody can sign in to this organization at the moment. No data has been deleted. Contact
				your administrator.
			</UnbrandedPage>
		);
	}
	if (error && !options) {
		return (
			<UnbrandedPage
				title="Could not load this page"
				action={<Button onClick={() => refetch()}>Try again</Button>}
			>
				{error.message}
			</UnbrandedPage>
		);
	}
	return value ? <TenantContext value={value}>{children}</TenantContext> : <LoadingPage />;
}
