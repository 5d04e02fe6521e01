import { useQuery } from "@tanstack/react-query";
import { providerOf } from "../../providers";
import { Dialog } from "../../ui/Dialog";
import { Notice } from "../../ui/Notice";
import { Skeleton } from "../../ui/Skeleton";
import { type EffectiveProvider, startSignIn } from "../api/providers";
import type { Tenant } from "../api/tenants";
import { Facts } from "../lists/Facts";
import { useOperator } from "../session/operator";

type TestDialogProps = {
	tenant: Tenant;
	provider: EffectiveProvider;
	open: boolean;
	onClose: () => void;
};

/** Begins a real sign-in: shows where it would go, and lets one go on in another tab. */
export function TestDialog({ tenant, provider, open, onClose }: TestDialogProps) {
	const { name } = providerOf(provider.providerId);
	return (
		<Dialog title={`Test ${name}`} open={open} onClose={onClose}>
			<SignInStart tenant={tenant} provider={provider} name={name} />
		</Dialog>
	);
}

function SignInStart({
	tenant,
	provider,
	name,
}: Omit<TestDialogProps, "open" | "onClose"> & { name: string }) {
	const { data: operator } = useOperator();
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
	if (!url) return <Skeleton kind="block" />;
	const asked = (parameter: string) => url.searchParams.get(parameter) ?? "–";
	return (
		<>
			<Notice kind="success">A sign-in begins as it should. This is what {name} is asked:</Notice>
			<Facts
				facts={[
					{ title: "Goes to", value: <code>{url.host}</code> },
					{ title: "Client ID", value: <code>{asked("client_id")}</code> },
					{
						title: "Callback URL",
						value: <code>{asked("redirect_uri")}</code>,
						copy: asked("redirect_uri"),
					},
					{ title: "Scopes", value: <code>{asked("scope")}</code> },
				]}
			/>
			<p className="muted small">
				Only {name} can say whether secret and callback URL are right: sign in to find out. This
				browser is then signed in as that user of {tenant.name}
				{operator?.kind === "administrator" ? ", and no longer as an administrator" : ""}.
			</p>
			<footer className="dialog-foot">
				<a className="button button-primary" href={url.href} target="_blank" rel="noreferrer">
					Sign in in a new tab
				</a>
			</footer>
		</>
	);
}
