"""The approval dialog: what would happen, whole and unshortened, and a person's answer to it."""

from __future__ import annotations

from ui.window.approvals.dialog import ApprovalDialog

__all__ = ["ApprovalDialog"]
