import { useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense, useEffect, useLayoutEffect, useMemo } from "react";
import { hasCode } from "../api/client";
import { loginOptionsQuery } from "../api/login-options";
import type { PageLocation, SuspendedTenant } from "../api/page-location";
import { applyAccent } from "../design/accent";
import { createTenantClient } from "../sign-in/client";
import { BrandedPage, LoadingPage } from "../sign-in/layout";
import { TenantContext, type TenantContextValue } from "../sign-in/tenant-context";
import { useTexts } from "../sign-in/texts/texts";
import { MessagePage } from "../ui/MessagePage";
import { LoadFailedPage, rememberTenant, UntrustedTargetPage } from "./error-pages";
import { lazyPage } from "./lazy-page";

const ServicePage = lazyPage(async () => (await import("./ServicePage")).ServicePage);

type TenantGateProps = { location: PageLocation; children: ReactNode };

/** Shows nothing about any tenant until the login options of this one have loaded. */
export function TenantGate({ location, children }: TenantGateProps) {
	const { gate } = useTexts();
	const { slug, base } = location;
	const { data: options, error, refetch } = useQuery(loginOptionsQuery(slug));
	const isSuspended = hasCode(error, "TENANT_SUSPENDED");
	const branding = options?.branding ?? (isSuspended ? location.suspended?.branding : undefined);

	// In a layout effect, so that the first paint has the right color.
	useLayoutEffect(() => applyAccent(branding?.primaryColor), [branding]);

	useEffect(() => {
		if (options && base) rememberTenant(base);
	}, [options, base]);

	const value = useMemo<TenantContextValue | null>(
		() =>
			options
				? {
						options,
						client: createTenantClient(options.tenant.id),
						pageUrl: (path) => `${location.base}/${path}`,
						callbackUrl: location.callbackUrl,
						hasAdminPages: location.hasAdminPages,
						hasSaml: location.hasSaml,
						captcha: location.captcha,
						hasEmailCodes: location.hasEmailCodes,
					}
				: null,
		[options, location],
	);

	if (slug === "" && !window.location.pathname.startsWith("/t/")) {
		return (
			<Suspense fallback={<LoadingPage />}>
				<ServicePage />
			</Suspense>
		);
	}
	if (slug === "" || hasCode(error, "TENANT_NOT_FOUND")) {
		return <MessagePage title={gate.notFoundTitle}>{gate.notFound}</MessagePage>;
	}
	if (isSuspended) {
		// Suspended while the page was open: then the server did not know it.
		const known = options && { name: options.tenant.name, branding: options.branding };
		return <SuspendedPage tenant={known ?? location.suspended} />;
	}
	if (error && !options) return <LoadFailedPage error={error} onRetry={refetch} />;
	if (!value) return <LoadingPage />;
	return (
		<TenantContext value={value}>
			{location.hasUntrustedTarget ? <UntrustedTargetPage /> : children}
		</TenantContext>
	);
}

function SuspendedPage({ tenant }: { tenant: SuspendedTenant | null }) {
	const { gate } = useTexts();
	if (!tenant) return <MessagePage title={gate.suspendedTitle}>{gate.suspended}</MessagePage>;
	return (
		<BrandedPage title={gate.suspendedTitle} {...tenant}>
			<p>{gate.suspendedName(tenant.name)}</p>
		</BrandedPage>
	);
}
