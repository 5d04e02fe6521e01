import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from "react";
import { CloseIcon } from "./icons";
import { useUiTexts } from "./texts";

type Toast = { id: number; kind: "success" | "danger"; text: string };
type Show = (text: string, kind?: Toast["kind"]) => void;

const ToastContext = createContext<Show>(() => {});

/** `toast("Saved.")` or `toast("Could not save.", "danger")`. */
export const useToast = () => useContext(ToastContext);

const SECONDS_SHOWN = { success: 5, danger: 12 };

export function ToastProvider({ children }: { children: ReactNode }) {
	const [toasts, setToasts] = useState<Toast[]>([]);
	const lastId = useRef(0);
	const texts = useUiTexts();
	const dismiss = useCallback((id: number) => {
		setToasts((shown) => shown.filter((toast) => toast.id !== id));
	}, []);
	const show = useCallback<Show>(
		(text, kind = "success") => {
			const id = ++lastId.current;
			setToasts((shown) => [...shown.slice(-2), { id, kind, text }]);
			setTimeout(() => dismiss(id), SECONDS_SHOWN[kind] * 1000);
		},
		[dismiss],
	);
	return (
		<ToastContext value={show}>
			{children}
			<div className="toasts" aria-live="polite">
				{toasts.map(({ id, kind, text }) => (
					<div key={id} className={`toast toast-${kind}`}>
						<p>{text}</p>
						<button
							type="button"
							className="icon-button"
							aria-label={texts.dismiss}
							onClick={() => dismiss(id)}
						>
							<CloseIcon />
						</button>
					</div>
				))}
			</div>
		</ToastContext>
	);
}
