import { useQuery } from "@tanstack/react-query";
import { providerOf } from "../../providers";
import { Dialog } from "../../ui/Dialog";
import { Notice } from "../../ui/Notice";
import { Skeleton } from "../../ui/Skeleton";
import { type EffectiveProvider, startSignIn } from "../api/providers";
import type { Tenant } from "../api/tenants";
import { Facts } from "../lists/Facts";
import { useOperator } from "../session/operator";
import { useTenantAddresses } from "../tenant/tenant-addresses";
import { callbackFacts } from "./callback-facts";

type TestDialogProps = {
	tenant: Tenant;
	provider: EffectiveProvider;
	/** Where the tenant's client has one set. */
	redirectURI: string | null | undefined;
	open: boolean;
	onClose: () => void;
};

/** Begins a real sign-in: shows where it would go, and lets one go on in another tab. */
export function TestDialog({ open, onClose, ...props }: TestDialogProps) {
	const { name } = providerOf(props.provider.providerId);
	return (
		<Dialog title={`Test ${name}`} open={open} onClose={onClose}>
			<SignInStart {...props} name={name} />
		</Dialog>
	);
}

type SignInStartProps = Omit<TestDialogProps, "open" | "onClose"> & { name: string };

function SignInStart({ tenant, provider, redirectURI, name }: SignInStartProps) {
	const { data: operator } = useOperator();
	const addresses = useTenantAddresses(tenant.slug);
	const { data: url, error } = useQuery({
		queryKey: ["sign-in-start", tenant.id, provider.providerId],
		queryFn: () => startSignIn(tenant, provider.providerId),
		// A start is good for one sign-in.
		staleTime: 0,
		gcTime: 0,
		refetchOnWindowFocus: false,
		retry: false,
	});
	if (error) {
		return <Notice kind="danger">A sign-in cannot begin: {error.message}</Notice>;
	}
	if (!url || !addresses) return <Skeleton kind="block" />;
	const asked = (parameter: string) => url.searchParams.get(parameter) ?? "–";
	// What begins here would come back to the service's own host, and the tenant's pages are elsewhere.
	const goOn = addresses.ownOrigin ? addresses.signIn : url.href;
	return (
		<>
			<Notice kind="success">A sign-in begins as it should. This is what {name} is asked:</Notice>
			<Facts
				facts={[
					{ title: "Goes to", value: <code>{url.host}</code> },
					{ title: "Client ID", value: <code>{asked("client_id")}</code> },
					...callbackFacts({ callbackURL: asked("redirect_uri") }, addresses, redirectURI),
					{ title: "Scopes", value: <code>{asked("scope")}</code> },
				]}
			/>
			<p className="muted small">
				Only {name} can say whether secret and callback URL are right: sign in to find out. This
				browser is then signed in as that user of {tenant.name}
				{operator?.kind === "administrator" && !addresses.ownOrigin
					? ", and no longer as an administrator"
					: ""}
				.
			</p>
			<footer className="dialog-foot">
				<a className="button button-primary" href={goOn} target="_blank" rel="noreferrer">
					{addresses.ownOrigin ? "Open the sign-in page" : "Sign in in a new tab"}
				</a>
			</footer>
		</>
	);
}
