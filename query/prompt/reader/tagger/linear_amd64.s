//go:build !purego

#include "textflag.h"

// func multiplyBlock(sums, rows *float32, in int, panel *byte)
//
// Y0 to Y7 hold the sums, two registers a row. Each step turns the 16 bytes of one input into numbers, and multiplies
// them with that input of each row.
TEXT ·multiplyBlock(SB), NOSPLIT, $0-32
	MOVQ sums+0(FP), DI
	MOVQ rows+8(FP), SI
	MOVQ in+16(FP), CX
	MOVQ panel+24(FP), BX
	LEAQ (SI)(CX*4), R8
	LEAQ (R8)(CX*4), R9
	LEAQ (R9)(CX*4), R10
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	VXORPS Y4, Y4, Y4
	VXORPS Y5, Y5, Y5
	VXORPS Y6, Y6, Y6
	VXORPS Y7, Y7, Y7
	XORQ AX, AX

next:
	VPMOVSXBD (BX), Y8
	VPMOVSXBD 8(BX), Y9
	VCVTDQ2PS Y8, Y8
	VCVTDQ2PS Y9, Y9
	VBROADCASTSS (SI)(AX*4), Y10
	VBROADCASTSS (R8)(AX*4), Y11
	VBROADCASTSS (R9)(AX*4), Y12
	VBROADCASTSS (R10)(AX*4), Y13
	VFMADD231PS Y8, Y10, Y0
	VFMADD231PS Y9, Y10, Y1
	VFMADD231PS Y8, Y11, Y2
	VFMADD231PS Y9, Y11, Y3
	VFMADD231PS Y8, Y12, Y4
	VFMADD231PS Y9, Y12, Y5
	VFMADD231PS Y8, Y13, Y6
	VFMADD231PS Y9, Y13, Y7
	ADDQ $16, BX
	INCQ AX
	CMPQ AX, CX
	JLT  next

	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	VMOVUPS Y2, 64(DI)
	VMOVUPS Y3, 96(DI)
	VMOVUPS Y4, 128(DI)
	VMOVUPS Y5, 160(DI)
	VMOVUPS Y6, 192(DI)
	VMOVUPS Y7, 224(DI)
	VZEROUPPER
	RET
